/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Verifies links before they make groups. */
public interface LinkCheck {

    /** Accepts all links. */
    LinkCheck NONE = new LinkCheck() {
        @Override
        public boolean isNeeded() {
            return false;
        }

        @Override
        public int expect(int[] documents) {
            return documents.length;
        }

        @Override
        public double similarity(int a, int b) {
            return Double.NaN;
        }
    };

    /** Whether anything is verified. */
    default boolean isNeeded() {
        return true;
    }

    /**
     * Announces the documents to compare next. It replaces the documents of the previous call.
     *
     * @param documents the most urgent ones first
     * @return how many of them, from the first one on, can be compared now; at least two if there are two
     */
    int expect(int[] documents);

    /** Whether some documents may not be linked, whatever their texts are. */
    default boolean isConditional() {
        return false;
    }

    /** Whether texts are read to be compared. */
    default boolean comparesTexts() {
        return isNeeded();
    }

    /** Whether two documents may be linked at all. It is cheap: it is asked before texts are read. */
    default boolean mayLink(int a, int b) {
        return true;
    }

    /**
     * Two documents with equal keys may never be linked. So a million of them are not tried one by one.
     *
     * @return 0 if the document may be linked with all
     */
    default long apartKey(int document) {
        return 0;
    }

    /** Documents, ascending, that may never be in one group with this one, whatever links them. Is cheap. */
    default int[] apartFrom(int document) {
        return Linkage.NONE;
    }

    /** Whether a document can be similar to any other. The answer is final once the document was expected. */
    default boolean isComparable(int document) {
        return true;
    }

    /** The similarity of two expected documents that may be linked; negative if they are not similar enough, NaN if nobody compares. */
    double similarity(int a, int b);
}
