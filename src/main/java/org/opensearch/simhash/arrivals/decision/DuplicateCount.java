/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

public enum DuplicateCount {
    /** Compared with others. */
    LOOKED_UP,
    /** Not compared, or left standing: a text without words. */
    NO_TEXT,
    /** Left standing: a text too short to end. */
    SHORT_TEXT,
    /** Left standing: the fingerprint of the document or of its original is not that of its text. */
    STALE_FINGERPRINT,
    /** Left standing: words of its own. */
    OWN_TEXT,
    /** Not compared with one that people keep apart from it. */
    KEPT_APART,
    /** Not compared: without a fingerprint. */
    WITHOUT_FINGERPRINT,
    /** Compared without the window of a node that did not answer. */
    WINDOW_INCOMPLETE,
    TAGGED,
    DROPPED,
    /** Refused as near-duplicates. */
    REFUSED,
    FAILED
}
