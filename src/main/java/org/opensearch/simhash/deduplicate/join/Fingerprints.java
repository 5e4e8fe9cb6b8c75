/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.List;

/**
 * Distinct fingerprints per stratum, and the documents that have them. A value has a number. A stratum has consecutive
 * numbers, some of them unused. Thread-safe, unless a method says otherwise.
 */
interface Fingerprints {

    /**
     * A stratum: the numbers in {@code [from, to)}.
     *
     * @param stratum its key, equal on all nodes
     */
    record Slice(int from, int to, long stratum) {
        int size() {
            return to - from;
        }
    }

    List<Slice> slices();

    /** The greatest number + 1. */
    int size();

    /** The first used number from {@code number} on; {@link #size} if there is none. */
    int next(int number);

    long value(int number);

    /** Copies the used numbers in {@code [from, to)} and their values. Returns how many. */
    int read(int from, int to, long[] values, int[] numbers);

    /** How many rows have a value. */
    int rows(int number);

    /** Whether each value has one row and each document one value. */
    boolean areSingle();

    /** Whether a document may have several rows. */
    boolean hasSeveral();

    /** Pairs of rows of different documents. Compares the addresses if documents have several rows. */
    long pairs(int a, int b);

    /** Addresses of the documents with a value. One thread; fastest in ascending order. */
    long[] addresses(int number);

    /** At most {@code most} values of a slice, at equal intervals. */
    default long[] sample(Slice slice, int most) {
        long[] sample = new long[Math.min(most, slice.size())];
        for (int i = 0; i < sample.length; i++) {
            // An unused number reads the value before it.
            sample[i] = value(slice.from() + (int) ((long) i * slice.size() / sample.length));
        }
        return sample;
    }
}
