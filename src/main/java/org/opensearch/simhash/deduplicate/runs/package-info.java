/* SPDX-License-Identifier: Apache-2.0 */

/** Lists the runs that an archive has copies of: {@code GET /_plugins/_simhash/deduplicate/runs}. */
package org.opensearch.simhash.deduplicate.runs;
