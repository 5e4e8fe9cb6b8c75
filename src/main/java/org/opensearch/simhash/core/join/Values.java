/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

/** Numbered values: those of {@link Fingerprints}, or a part of each. Thread-safe. */
interface Values {

    /** A stratum: the numbers in {@code [from, to)}. Its key is equal on all nodes. */
    record Slice(int from, int to, long stratum) {
        int size() {
            return to - from;
        }
    }

    /** Copies the values of so many numbers. */
    void read(int from, int count, long[] values);

    /** Distance of two whose values are near, by their differing bits; -1 if they are no link, or if another search finds them. */
    default int distance(int a, int b, int differing) {
        return differing;
    }
}
