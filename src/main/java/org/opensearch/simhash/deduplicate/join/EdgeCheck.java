/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Decides about near documents before they join a group. */
public interface EdgeCheck {

    /** Says yes to all. */
    EdgeCheck NONE = new EdgeCheck() {
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

    /** Whether there is anything to check. */
    default boolean isNeeded() {
        return true;
    }

    /**
     * Tells which documents come next; those that were expected before are not asked for any more.
     *
     * @param documents the most urgent ones first
     * @return how many of them, from the first one, can be compared now: at least two, if there are two
     */
    int expect(int[] documents);

    /** Whether a document may be similar to any other; known at the latest when it is expected, and for good then. */
    default boolean isComparable(int document) {
        return true;
    }

    /** The similarity of two that are expected and can be compared, when they are similar enough, else a negative number. */
    double similarity(int a, int b);
}
