/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Computes numbers about the whole index, with intervals, from a sample of documents and pairs. Plain code without OpenSearch.
 * Start with {@code Estimates}.
 */
package org.opensearch.simhash.calibrate.estimate;
