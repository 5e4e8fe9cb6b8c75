/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/** Deals the values of a large stratum to bins, as often as its plan says. */
final class DealtSlice {

    /** Values that a thread deals at a time. */
    private static final int SEGMENT = 1 << 14;

    /** Per dealing thread. */
    static final long SEGMENT_BYTES = (long) SEGMENT * Long.BYTES;

    /** Values of a bin that fit into the processor's cache. */
    private static final int BIN = 1 << 15;

    private static final int MOST_BITS = 11;

    private final Values fingerprints;
    private final Values.Slice slice;
    private final RadiusPlan plan;
    private final LongConsumer progress;

    private final int[] binBits;

    /** Values per bin, by deal. */
    private final int[][] counts;

    DealtSlice(Values fingerprints, Values.Slice slice, RadiusPlan plan, LongConsumer progress) {
        this.fingerprints = fingerprints;
        this.slice = slice;
        this.plan = plan;
        this.progress = progress;
        this.binBits = new int[plan.deals()];
        this.counts = new int[binBits.length][];
        for (int deal = 0; deal < binBits.length; deal++) {
            binBits[deal] = Math.min(enoughBits(slice.size()), plan.binBits(deal));
            counts[deal] = new int[bins(deal)];
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

    int largestBin() {
        return Arrays.stream(counts).flatMapToInt(Arrays::stream).max().orElse(0);
    }

    /** Start of each bin, then the end of the last one. */
    int[] starts(int deal) {
        return Bins.starts(counts[deal]);
    }

    int segments() {
        return (slice.size() + SEGMENT - 1) / SEGMENT;
    }

    private int read(int segment, long[] values) {
        progress.accept(0);
        int from = slice.from() + segment * SEGMENT;
        int count = Math.min(SEGMENT, slice.to() - from);
        fingerprints.read(from, count, values);
        return count;
    }

    /** Called by one thread at a time. */
    void count(int segment) {
        long[] values = new long[SEGMENT];
        int count = read(segment, values);
        for (int deal = 0; deal < binBits.length; deal++) {
            int bits = binBits[deal];
            int[] ofDeal = counts[deal];
            for (int i = 0; i < count; i++) {
                ofDeal[plan.bin(deal, values[i], bits)]++;
            }
        }
    }

    IntConsumer dealing(int deal, Bins.Dealer dealer) {
        long[] values = new long[SEGMENT];
        int bits = binBits[deal];
        return segment -> {
            int count = read(segment, values);
            for (int i = 0; i < count; i++) {
                dealer.add(plan.bin(deal, values[i], bits), values[i], slice.from() + segment * SEGMENT + i);
            }
        };
    }
}
