/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.List;

/**
 * Fingerprints, each once per stratum, and the documents that have it. A value has a number; numbers of one stratum follow one
 * another, and some may be left out. What is said to be of one thread is; all else may be asked by many.
 */
interface Fingerprints {

    /**
     * The fingerprints of one stratum, those of numbers in {@code [from, to)}.
     *
     * @param stratum what it is known by everywhere
     */
    record Slice(int from, int to, long stratum) {
        int size() {
            return to - from;
        }
    }

    List<Slice> slices();

    /** Behind the greatest number. */
    int size();

    /** The first number from one on that a value has; {@link #size} when there is none. */
    int next(int number);

    long value(int number);

    /** Copies the values of numbers in {@code [from, to)}, and their numbers, to the start of the arrays; returns how many they are. */
    int read(int from, int to, long[] values, int[] numbers);

    /** How many rows have a value. */
    int rows(int number);

    /** Whether each value has one row, and each document one value. */
    boolean areSingle();

    /** Whether a document may have several rows. */
    boolean hasSeveral();

    /** How many pairs of rows of different documents two values have. Of documents with several rows, each is looked for. */
    long pairs(int a, int b);

    /** Addresses of the documents of a value's rows. One thread, fastest in the order of the numbers. */
    long[] addresses(int number);

    /** At most so many values of a slice, at equal intervals. */
    default long[] sample(Slice slice, int most) {
        long[] sample = new long[Math.min(most, slice.size())];
        for (int i = 0; i < sample.length; i++) {
            // Behind it there is one that is left out at most as long as its value is that of the one before.
            sample[i] = value(slice.from() + (int) ((long) i * slice.size() / sample.length));
        }
        return sample;
    }
}
