/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Does what people have decided about the groups of a run: {@code POST /_plugins/_simhash/deduplicate/{index}/apply}. Reads decided
 * groups, looks their documents up, and tags or deletes by the same ways as a job.
 */
package org.opensearch.simhash.deduplicate.apply;
