/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

/** What the node's {@code near_duplicate} processors count, in documents. */
public enum DuplicateCount {
    /** Compared with others. */
    LOOKED_UP,
    /** Not compared, because they have no fingerprint. */
    WITHOUT_FINGERPRINT,
    /** Compared without the window of a node that did not answer. */
    WINDOW_INCOMPLETE,
    TAGGED,
    DROPPED,
    REROUTED,
    /** Refused as near-duplicates. */
    REFUSED,
    /** Not looked up because of an error. */
    FAILED
}
