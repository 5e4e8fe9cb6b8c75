/* SPDX-License-Identifier: Apache-2.0 */

/**
 * From a sample of documents and of pairs around them to numbers about the whole index, with their intervals. Plain code: it knows
 * nothing of OpenSearch. {@code Estimates} is the door.
 */
package org.opensearch.simhash.calibrate.estimate;
