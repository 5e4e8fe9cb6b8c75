/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

/** What the node's {@code near_duplicate} processors did with documents. */
public enum DuplicateCount {
    /** Compared with others. */
    LOOKED_UP,
    /** Compared with nothing, because they came without a fingerprint. */
    WITHOUT_FINGERPRINT,
    /** Compared without what a node accepted lately, because it did not say. */
    WINDOW_INCOMPLETE,
    TAGGED,
    DROPPED,
    REROUTED,
    /** Refused because they are near-duplicates. */
    REFUSED,
    /** Nothing could be found out about them. */
    FAILED
}
