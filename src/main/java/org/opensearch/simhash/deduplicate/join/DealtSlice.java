/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/** Deals the values of a large stratum to bins, as often as its plan says. */
final class DealtSlice {

    /** Values that a thread deals at a time. */
    private static final int SEGMENT = 1 << 14;

    /** Per dealing thread. */
    static final long SEGMENT_BYTES = (long) SEGMENT * Bins.BYTES;

    /** Values of a bin that fit into the processor's cache. */
    private static final int BIN = 1 << 15;

    private static final int MOST_BITS = 11;

    private final Fingerprints fingerprints;
    private final Fingerprints.Slice slice;
    private final RadiusPlan plan;
    private final LongConsumer progress;

    private final int[] binBits;

    /** Values per bin, by deal, shifted by one. */
    private final int[][] counts;

    DealtSlice(Fingerprints fingerprints, Fingerprints.Slice slice, RadiusPlan plan, LongConsumer progress) {
        this.fingerprints = fingerprints;
        this.slice = slice;
        this.plan = plan;
        this.progress = progress;
        this.binBits = new int[plan.deals()];
        this.counts = new int[binBits.length][];
        for (int deal = 0; deal < binBits.length; deal++) {
            binBits[deal] = Math.min(enoughBits(slice.size()), plan.binBits(deal));
            counts[deal] = new int[bins(deal) + 1];
        }
    }

    /** Log2 of the number of bins for so many values, if a deal can tell so many bins apart. */
    static int enoughBits(long count) {
        return Math.clamp(Long.SIZE - Long.numberOfLeadingZeros(count / BIN), 1, MOST_BITS);
    }

    RadiusPlan plan() {
        return plan;
    }

    int binBits(int deal) {
        return binBits[deal];
    }

    int bins(int deal) {
        return 1 << binBits[deal];
    }

    int size(int deal, int bin) {
        return counts[deal][bin + 1];
    }

    int largestBin() {
        return Arrays.stream(counts).flatMapToInt(Arrays::stream).max().orElse(0);
    }

    /** Start of each bin, then the end of the last one. */
    int[] starts(int deal) {
        int[] starts = counts[deal].clone();
        for (int bin = 1; bin < starts.length; bin++) {
            starts[bin] += starts[bin - 1];
        }
        return starts;
    }

    int segments() {
        return (slice.size() + SEGMENT - 1) / SEGMENT;
    }

    private int read(int segment, long[] values, int[] numbers) {
        int from = slice.from() + segment * SEGMENT;
        progress.accept(0);
        return fingerprints.read(from, Math.min(slice.to(), from + SEGMENT), values, numbers);
    }

    /** Called by one thread at a time. */
    void count(int segment) {
        long[] values = new long[SEGMENT];
        int count = read(segment, values, new int[SEGMENT]);
        for (int deal = 0; deal < binBits.length; deal++) {
            int bits = binBits[deal];
            int[] ofDeal = counts[deal];
            for (int i = 0; i < count; i++) {
                ofDeal[1 + plan.bin(deal, values[i], bits)]++;
            }
        }
    }

    IntConsumer dealing(int deal, Dealer dealer) {
        long[] values = new long[SEGMENT];
        int[] numbers = new int[SEGMENT];
        int bits = binBits[deal];
        return segment -> {
            int count = read(segment, values, numbers);
            for (int i = 0; i < count; i++) {
                dealer.add(plan.bin(deal, values[i], bits), values[i], numbers[i]);
            }
        };
    }

    /** Collects values for each bin and writes them to {@link Bins} in batches. Not thread-safe. */
    static final class Dealer {

        /** Values of a batch. */
        private static final int SOME = 128;

        private final Bins bins;
        private final long[] values;
        private final int[] numbers;
        private final int[] counts;

        Dealer(Bins bins, int count) {
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
}
