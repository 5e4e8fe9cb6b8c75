/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Finds the near pairs that belong to one combination of blocks: scatters the fingerprints in two steps into buckets of those that
 * agree on the combination (the second step works in the processor's cache), and compares within the buckets. A bucket that is
 * too large to be compared pair by pair is joined by blocks of its own, made of the bits on which its fingerprints may differ.
 *
 * <p>Memory: a copy of the fingerprints, and of the largest bucket per depth. One thread.
 */
final class Buckets {

    /** Larger buckets are worth the choice of blocks. */
    private static final int REFINED = 1_024;

    private static final int SMALL = 24;
    private static final int SAMPLE = 512;
    private static final int MOST_BINS = 1 << 12;
    private static final int CHECKED = 1 << 20;

    /** Odd, with a good mix of ones: spreads the masked bits over the highest ones. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /**
     * Where a bucket comes from: a pair of it counts when it belongs to the combination at every depth.
     *
     * @param outer null at the top
     */
    private record Origin(BlockPlan plan, int combination, Origin outer) {

        boolean owns(long differing) {
            for (Origin origin = this; origin != null; origin = origin.outer) {
                if (origin.plan.owns(origin.combination, differing) == false) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Fingerprints with their positions. */
    private static final class Column {
        private final LongConsumer memory;
        private long[] values = new long[0];
        private int[] positions = new int[0];

        Column(LongConsumer memory) {
            this.memory = memory;
        }

        void require(int count, int most) {
            if (values.length < count) {
                int capacity = Math.max(count, Math.min(2 * values.length, most));
                memory.accept((long) capacity * BYTES);
                memory.accept((long) -values.length * BYTES);
                values = new long[capacity];
                positions = new int[capacity];
            }
        }
    }

    /** What a thread takes for each fingerprint of the largest join, and for each of the largest bucket at each depth twice. */
    static final int BYTES = Long.BYTES + Integer.BYTES;

    private final int distance;
    private final PairSink sink;
    private final int[] partitionStarts = new int[MOST_BINS + 1];
    private final int[] bucketStarts = new int[MOST_BINS + 1];
    private final LongConsumer memory;
    private final Column partitions;
    private final Column buckets;
    private Buckets inner;
    private long compared;

    /** @param memory is told the bytes before they are taken, and may refuse them; all are kept to the end */
    Buckets(int distance, PairSink sink, LongConsumer memory) {
        this.distance = distance;
        this.sink = sink;
        this.memory = memory;
        this.partitions = new Column(memory);
        this.buckets = new Column(memory);
    }

    /** Finds the pairs of {@code values[from..to)}, which differ from each other, that belong to a combination. */
    void join(long[] values, int from, int to, BlockPlan plan, int combination) {
        join(values, null, from, to, -1L, new Origin(plan, combination, null));
        tellCompared();
    }

    /**
     * Compares the values of a stripe with all after them.
     *
     * @param first first of the stripe
     * @param end behind the stripe
     */
    void compareStripe(long[] values, int first, int end, int to, BlockPlan plan) {
        Origin origin = new Origin(plan, 0, null);
        for (int i = first; i < end; i++) {
            compare(values, null, i, to, origin);
        }
        tellCompared();
    }

    /** @param positions of the values; null when they are where they belong */
    private void join(long[] values, int[] positions, int from, int to, long free, Origin origin) {
        long mask = origin.plan.mask(origin.combination);
        if (mask == 0) {
            compareAll(values, positions, from, to, origin);
            return;
        }
        int count = to - from;
        // Partitions of about a thousand fit into the first cache.
        int partitionBits = Math.clamp(Integer.SIZE - Integer.numberOfLeadingZeros(count >>> 10), 0, 12);
        partitions.require(count, count);
        scatter(values, positions, from, to, mask, 0, partitionBits, partitions, partitionStarts);
        for (int i = 0; i < 1 << partitionBits; i++) {
            int start = partitionStarts[i];
            int end = partitionStarts[i + 1];
            if (end - start <= SMALL) {
                compareAll(partitions.values, partitions.positions, start, end, origin);
            } else {
                split(start, end, mask, partitionBits, free & ~mask, origin);
            }
        }
    }

    private void split(int start, int end, long mask, int usedBits, long free, Origin origin) {
        int count = end - start;
        int bucketBits = Math.clamp(Integer.SIZE - Integer.numberOfLeadingZeros(count), 1, 12);
        buckets.require(count, partitions.values.length);
        scatter(partitions.values, partitions.positions, start, end, mask, usedBits, bucketBits, buckets, bucketStarts);
        for (int i = 0; i < 1 << bucketBits; i++) {
            int from = bucketStarts[i];
            int to = bucketStarts[i + 1];
            if (to - from > REFINED) {
                refine(from, to, free, origin);
            } else {
                compareAll(buckets.values, buckets.positions, from, to, origin);
            }
        }
    }

    private void refine(int from, int to, long free, Origin origin) {
        int count = to - from;
        long[] sample = BlockChoice.sample(buckets.values, from, to, SAMPLE);
        BlockPlan plan = BlockChoice.choose(sample, count, free, distance, BlockChoice.MOST_COMBINATIONS);
        if (plan.isQuadratic()) {
            compareAll(buckets.values, buckets.positions, from, to, origin);
            return;
        }
        if (inner == null) {
            inner = new Buckets(distance, sink, memory);
        }
        for (int combination : plan.combinations()) {
            inner.join(buckets.values, buckets.positions, from, to, free, new Origin(plan, combination, origin));
            inner.tellCompared();
        }
    }

    /**
     * Counting sort by some bits of the spread mask.
     *
     * @param skip highest bits that were sorted by before
     * @param bits sorted by now
     * @param starts gets the first position of each bin, and behind them the end
     */
    private static void scatter(
            long[] source,
            int[] positions,
            int from,
            int to,
            long mask,
            int skip,
            int bits,
            Column target,
            int[] starts) {
        int bins = 1 << bits;
        if (bits == 0) {
            System.arraycopy(source, from, target.values, 0, to - from);
            for (int i = from; i < to; i++) {
                target.positions[i - from] = positions == null ? i : positions[i];
            }
            starts[0] = 0;
            starts[1] = to - from;
            return;
        }
        int shift = Long.SIZE - bits;
        Arrays.fill(starts, 0, bins + 1, 0);
        for (int i = from; i < to; i++) {
            starts[bin(source[i] & mask, skip, shift)]++;
        }
        int sum = 0;
        for (int bin = 0; bin < bins; bin++) {
            sum += starts[bin];
            starts[bin] = sum;
        }
        starts[bins] = sum;
        for (int i = to - 1; i >= from; i--) {
            int slot = --starts[bin(source[i] & mask, skip, shift)];
            target.values[slot] = source[i];
            target.positions[slot] = positions == null ? i : positions[i];
        }
    }

    private static int bin(long masked, int skip, int shift) {
        return (int) (((masked * SPREAD) << skip) >>> shift);
    }

    private void compareAll(long[] values, int[] positions, int from, int to, Origin origin) {
        for (int i = from; i < to - 1; i++) {
            compare(values, positions, i, to, origin);
        }
    }

    private void compare(long[] values, int[] positions, int i, int to, Origin origin) {
        long value = values[i];
        for (int j = i + 1; j < to; j++) {
            int bits = Long.bitCount(value ^ values[j]);
            if (bits <= distance && origin.owns(value ^ values[j])) {
                sink.pair(positions == null ? i : positions[i], positions == null ? j : positions[j], bits);
            }
        }
        compared += to - i - 1;
        if (compared > CHECKED) {
            tellCompared();
        }
    }

    private void tellCompared() {
        sink.compared(compared);
        compared = 0;
    }
}
