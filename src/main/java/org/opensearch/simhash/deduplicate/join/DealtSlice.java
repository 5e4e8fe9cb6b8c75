/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Deals the values of a large stratum to bins, once for each of the first blocks of its plan: every combination begins
 * with one of these. The values of a bin agree on some hash bits of the block.
 */
final class DealtSlice {

    /** Values that a thread deals at a time. */
    private static final int SEGMENT = 1 << 14;

    /** Per dealing thread. */
    static final long SEGMENT_BYTES = (long) SEGMENT * Buckets.BYTES;

    /** Values of a bin that fit into the processor's cache. */
    private static final int BIN = 1 << 15;

    private static final int MOST_BITS = 11;

    private final Fingerprints fingerprints;
    private final PairSearch.Plan plan;
    private final LongConsumer progress;

    private final int[] binBits;

    /** Values per bin, by block, shifted by one. */
    private final int[][] counts;

    DealtSlice(Fingerprints fingerprints, PairSearch.Plan plan, LongConsumer progress) {
        this.fingerprints = fingerprints;
        this.plan = plan;
        this.progress = progress;
        this.binBits = new int[plan.blocks().distance() + 1];
        this.counts = new int[binBits.length][];
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(plan.slice().size() / BIN);
        for (int block = 0; block < binBits.length; block++) {
            int most = Math.min(MOST_BITS, Long.bitCount(mask(block)) + 1);
            binBits[block] = Math.clamp(bits, 1, most);
            counts[block] = new int[bins(block) + 1];
        }
    }

    private long mask(int block) {
        return plan.blocks().blocks().get(block);
    }

    BlockPlan blocks() {
        return plan.blocks();
    }

    int binBits(int block) {
        return binBits[block];
    }

    int bins(int block) {
        return 1 << binBits[block];
    }

    int size(int block, int bin) {
        return counts[block][bin + 1];
    }

    int largestBin() {
        return Arrays.stream(counts).flatMapToInt(Arrays::stream).max().orElse(0);
    }

    /** Start of each bin, then the end of the last one. */
    int[] starts(int block) {
        int[] starts = counts[block].clone();
        for (int bin = 1; bin < starts.length; bin++) {
            starts[bin] += starts[bin - 1];
        }
        return starts;
    }

    int segments() {
        return (plan.slice().size() + SEGMENT - 1) / SEGMENT;
    }

    private int read(int segment, long[] values, int[] numbers) {
        int from = plan.slice().from() + segment * SEGMENT;
        progress.accept(0);
        return fingerprints.read(from, Math.min(plan.slice().to(), from + SEGMENT), values, numbers);
    }

    /** Called by one thread at a time. */
    void count(int segment) {
        long[] values = new long[SEGMENT];
        int count = read(segment, values, new int[SEGMENT]);
        for (int block = 0; block < binBits.length; block++) {
            int shift = Long.SIZE - binBits[block];
            int[] ofBlock = counts[block];
            long mask = mask(block);
            for (int i = 0; i < count; i++) {
                ofBlock[1 + Buckets.bin(values[i] & mask, 0, shift)]++;
            }
        }
    }

    IntConsumer dealing(int block, BinDealer dealer) {
        long[] values = new long[SEGMENT];
        int[] numbers = new int[SEGMENT];
        int shift = Long.SIZE - binBits[block];
        long mask = mask(block);
        return segment -> {
            int count = read(segment, values, numbers);
            for (int i = 0; i < count; i++) {
                dealer.add(Buckets.bin(values[i] & mask, 0, shift), values[i], numbers[i]);
            }
        };
    }
}
