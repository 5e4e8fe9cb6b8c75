/* SPDX-License-Identifier: Apache-2.0 */

/** Lists the runs of an archive: {@code GET /_plugins/_simhash/deduplicate/runs}. */
package org.opensearch.simhash.desk.runs;
