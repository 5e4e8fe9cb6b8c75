/* SPDX-License-Identifier: Apache-2.0 */

/** Clears the tags of jobs: {@code POST /_plugins/_simhash/deduplicate/{index}/untag}. */
package org.opensearch.simhash.jobs.untag;
