/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

/** What the node's {@code collapse_near_duplicates} processors did. */
public enum CollapseCount {
    /** Searches whose hits were compared. */
    SEARCHES,
    /** Hits that were compared. */
    HITS,
    /** Hits that were compared with nothing, because they have no fingerprint. */
    WITHOUT_FINGERPRINT,
    /** Hits that another one stands for. */
    HIDDEN,
    /** Searches whose page was not full although there may have been more behind the hits that were asked for. */
    WINDOW_EXHAUSTED,
    /** Searches whose hits came and could not be compared. */
    FAILED
}
