/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** Collects values for each bin and writes them to {@link Bins} in batches. Not thread-safe. */
final class BinDealer {

    /** Values of a batch. */
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

    /** Bytes of heap. */
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

    /** Writes the batches that are not full. */
    void end() {
        for (int bin = 0; bin < counts.length; bin++) {
            if (counts[bin] > 0) {
                flush(bin);
            }
        }
    }
}
