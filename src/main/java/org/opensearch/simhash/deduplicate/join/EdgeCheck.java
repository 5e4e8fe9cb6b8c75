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
        public void expect(int[] documents) {}

        @Override
        public double similarity(int a, int b) {
            return Double.NaN;
        }
    };

    /** Whether there is anything to check. */
    default boolean isNeeded() {
        return true;
    }

    /** Tells which documents come next; those that were expected before are not asked for any more. */
    void expect(int[] documents);

    /** The similarity of two that are expected, when they are similar enough, else a negative number. */
    double similarity(int a, int b);
}
