/* SPDX-License-Identifier: Apache-2.0 */

/**
 * What a job is asked to do, as people type it and as it travels between nodes. Values, checked when they are made; they do
 * nothing.
 */
package org.opensearch.simhash.deduplicate.options;
