/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

/**
 * A promise that was broken.
 *
 * @param kind which one
 * @param what about what
 * @param history all that happened to it
 */
record Loss(Kind kind, String what, String history) {

    enum Kind {
        /** No near-duplicate of an acknowledged text is stored or archived. */
        LOST,
        /** One is archived, none is stored, and no client gave one up. */
        ONLY_ARCHIVED,
        /** A document has not the text that was acknowledged, and no job deleted it. */
        CHANGED,
        /** A document is there that nobody wrote, or with a text that nobody wrote. */
        UNKNOWN_TEXT,
        /** A new text of a stored document was left out or went elsewhere, so that the document keeps the old one. */
        STALE,
        /** A document ended for one that people had kept it apart from. */
        KEPT_APART,
        /** A document has not the values of one that ended for it in a job that merges. */
        UNMERGED
    }

    @Override
    public String toString() {
        return kind + ": " + what + "\n" + history;
    }
}
