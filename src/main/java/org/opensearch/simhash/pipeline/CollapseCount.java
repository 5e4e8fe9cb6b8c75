/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

/** Counts of the node's {@code collapse_near_duplicates} processors. */
public enum CollapseCount {
    /** Searches with compared hits. */
    SEARCHES,
    /** Compared hits. */
    HITS,
    /** Hits without fingerprint, which were not compared. */
    WITHOUT_FINGERPRINT,
    /** Hidden hits. */
    HIDDEN,
    /** Searches whose page was not full although there may be more hits after the window. */
    WINDOW_EXHAUSTED,
    /** Searches whose hits could not be compared. */
    FAILED
}
