/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Puts values into bins some at a time: a bin of memory or of a file takes many as fast as one. One thread. */
final class BinDealer {

    /** Values of a bin that are put in together. */
    private static final int SOME = 128;

    private final Bins bins;
    private final long[] values;
    private final int[] numbers;
    private final int[] counts;

    BinDealer(Bins bins, int count) {
        this.bins = bins;
        this.values = new long[count * SOME];
        this.numbers = new int[count * SOME];
        this.counts = new int[count];
    }

    /** What it takes of the heap. */
    static long bytes(int bins) {
        return (long) bins * (SOME * Bins.BYTES + Integer.BYTES);
    }

    void add(int bin, long value, int number) {
        int at = bin * SOME + counts[bin];
        values[at] = value;
        numbers[at] = number;
        if (++counts[bin] == SOME) {
            flush(bin);
        }
    }

    private void flush(int bin) {
        bins.put(bin, values, numbers, bin * SOME, counts[bin]);
        counts[bin] = 0;
    }

    /** Puts in what is left. */
    void end() {
        for (int bin = 0; bin < counts.length; bin++) {
            if (counts[bin] > 0) {
                flush(bin);
            }
        }
    }
}
