/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Carries out decisions about the groups of a run: {@code POST /_plugins/_simhash/deduplicate/{index}/apply}. Reads decided
 * groups, looks their documents up, and tags or deletes them as a job does.
 */
package org.opensearch.simhash.jobs.apply;
