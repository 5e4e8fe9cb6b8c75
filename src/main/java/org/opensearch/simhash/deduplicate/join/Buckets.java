/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Finds the links among fingerprints by a plan. It sorts fingerprints into buckets by one block, each bucket by a later
 * block, and so on, until comparing all pairs of a bucket is cheaper. Combinations that begin with the same blocks
 * share these steps. A bucket that stays too large gets a plan of its own, for the bits in which its fingerprints may
 * still differ.
 *
 * <p>Memory: a copy of the largest bucket per depth. Not thread-safe.
 */
final class Buckets {

    /** Per thread and depth, for each fingerprint of the largest bucket. */
    static final int BYTES = Long.BYTES + Integer.BYTES;

    /** Larger buckets of a complete combination get a plan of their own. To plan for smaller ones takes longer. */
    private static final int REFINED = 4_096;

    private static final int SMALL = 24;

    private static final int SAMPLE = 512;

    /** Odd, with well-mixed bits: multiplication moves the masked bits into the highest ones. */
    static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private static final int MOST_BITS = 11;

    /** A bin has about 2^TOGETHER to 2^(TOGETHER + 1) values. */
    private static final int TOGETHER = 3;

    /**
     * The blocks on which a bucket agrees. A pair counts here only if, at every depth, it agrees on no other block up
     * to the last of these.
     *
     * @param agreed the blocks, bit by bit
     * @param outer null at the top
     */
    private record Origin(BlockPlan plan, int agreed, Origin outer) {

        Origin with(int block) {
            return new Origin(plan, agreed | 1 << block, outer);
        }

        boolean owns(long differing) {
            for (Origin origin = this; origin != null; origin = origin.outer) {
                if (origin.plan.begins(origin.agreed, differing) == false) {
                    return false;
                }
            }
            return true;
        }
    }

    private final class Level {
        private long[] values = new long[0];
        private int[] numbers = new int[0];
        private final int[] starts = new int[(1 << MOST_BITS) + 1];

        /** Counts the values per bin, by a hash of the masked bits. Returns whether one bin has all. */
        boolean count(long[] from, int first, int end, long mask, int sorted, int bits) {
            int bins = 1 << bits;
            int shift = Long.SIZE - bits;
            Arrays.fill(starts, 0, bins + 1, 0);
            for (int i = first; i < end; i++) {
                starts[bin(from[i] & mask, sorted, shift)]++;
            }
            return starts[bin(from[first] & mask, sorted, shift)] == end - first;
        }

        void scatter(long[] from, int[] fromNumbers, int first, int end, long mask, int sorted, int bits) {
            require(end - first);
            int bins = 1 << bits;
            int shift = Long.SIZE - bits;
            int sum = 0;
            for (int bin = 0; bin <= bins; bin++) {
                sum += starts[bin];
                starts[bin] = sum;
            }
            for (int i = end - 1; i >= first; i--) {
                int slot = --starts[bin(from[i] & mask, sorted, shift)];
                values[slot] = from[i];
                numbers[slot] = fromNumbers[i];
            }
        }

        private void require(int count) {
            if (values.length < count) {
                int capacity = Math.max(count, values.length + values.length / 4);
                memory.accept((long) (capacity - values.length) * BYTES);
                values = new long[capacity];
                numbers = new int[capacity];
            }
        }
    }

    private final int distance;
    private final LinkSink sink;
    private final LongConsumer memory;
    private final List<Level> levels = new ArrayList<>();
    private final Comparer comparer;
    private Buckets inner;

    /** Of the bucket that is being compared. */
    private int[] ownNumbers;

    private Origin ownOrigin;

    /** @param memory gets nothing back before the end */
    Buckets(int distance, LinkSink sink, LongConsumer memory) {
        this.distance = distance;
        this.sink = sink;
        this.memory = memory;
        this.comparer = new Comparer(distance, this::meet, sink::compared);
    }

    /** Finds the links of the first {@code count} values, which are distinct. */
    void join(long[] values, int[] numbers, int count, BlockPlan plan) {
        Origin origin = new Origin(plan, 0, null);
        if (plan.isQuadratic()) {
            compareAll(values, numbers, 0, count, origin);
        } else {
            descend(values, numbers, 0, count, -1L, 0, 0, origin);
        }
        comparer.tellCompared();
    }

    /**
     * Finds the links that agree on a block and on none before it.
     *
     * @param sorted number of hash bits of the block on which all values agree
     */
    void join(long[] values, int[] numbers, int from, int to, BlockPlan plan, int block, int sorted) {
        scatter(values, numbers, from, to, -1L, 0, block, sorted, new Origin(plan, 0, null).with(block));
        comparer.tellCompared();
    }

    /** Compares each value from {@code first} to {@code end} with all values after it. */
    void compareStripe(long[] values, int[] numbers, int first, int end, int count, BlockPlan plan) {
        begin(numbers, new Origin(plan, 0, null));
        comparer.within(values, first, end);
        comparer.between(values, first, end, values, end, count);
        comparer.tellCompared();
    }

    /**
     * @param free bits in which the fingerprints may differ
     * @param depth number of blocks on which they agree
     * @param next the first block after these
     */
    private void descend(
            long[] values, int[] numbers, int from, int to, long free, int depth, int next, Origin origin) {
        int count = to - from;
        int left = origin.plan.agreeing() - depth;
        if (left == 0 && count > REFINED) {
            refine(values, numbers, from, to, free, origin);
            return;
        }
        int last = origin.plan.blocks().size() - left;
        if (left == 0 || BlockChoice.isWorthComparing(count, last - next + 1)) {
            compareAll(values, numbers, from, to, origin);
            return;
        }
        for (int block = next; block <= last; block++) {
            scatter(values, numbers, from, to, free, depth, block, origin);
        }
    }

    private void scatter(
            long[] values, int[] numbers, int from, int to, long free, int depth, int block, Origin origin) {
        scatter(values, numbers, from, to, free, depth, block, 0, origin.with(block));
    }

    /** @param sorted number of hash bits of the block on which all values agree */
    private void scatter(
            long[] values,
            int[] numbers,
            int from,
            int to,
            long free,
            int depth,
            int block,
            int sorted,
            Origin agreed) {
        int count = to - from;
        if (count < 2) {
            return;
        }
        long mask = agreed.plan.blocks().get(block);
        // One more bit than the block has: else two values could share a hash.
        int left = Long.bitCount(mask) + 1 - sorted;
        // No finer than needed: comparing a few values is cheaper than sorting them.
        int bits =
                Math.min(left, Math.clamp(Integer.SIZE - Integer.numberOfLeadingZeros(count) - TOGETHER, 1, MOST_BITS));
        if (left == 0) {
            descend(values, numbers, from, to, free & ~mask, depth + 1, block + 1, agreed);
            return;
        }
        Level level = level(sorted == 0 ? 2 * depth : 2 * depth + 1);
        if (level.count(values, from, to, mask, sorted, bits)) {
            // One bin has all values, so none moves.
            descend(values, numbers, from, to, free & ~mask, depth + 1, block + 1, agreed);
            return;
        }
        level.scatter(values, numbers, from, to, mask, sorted, bits);
        for (int bin = 0; bin < 1 << bits; bin++) {
            int start = level.starts[bin];
            int end = level.starts[bin + 1];
            if (end - start > SMALL && bits < left && sorted == 0) {
                scatter(level.values, level.numbers, start, end, free, depth, block, bits, agreed);
            } else if (end - start > 1) {
                descend(level.values, level.numbers, start, end, free & ~mask, depth + 1, block + 1, agreed);
            }
        }
    }

    private Level level(int number) {
        while (levels.size() <= number) {
            levels.add(new Level());
        }
        return levels.get(number);
    }

    static int bin(long masked, int sorted, int shift) {
        return (int) (((masked * SPREAD) << sorted) >>> shift);
    }

    private void refine(long[] values, int[] numbers, int from, int to, long free, Origin origin) {
        int count = to - from;
        long[] sample = BlockChoice.sample(values, from, to, SAMPLE);
        BlockPlan plan = BlockChoice.choose(sample, count, free, distance, BlockChoice.MOST_COMBINATIONS);
        if (plan.isQuadratic()) {
            compareAll(values, numbers, from, to, origin);
            return;
        }
        if (inner == null) {
            inner = new Buckets(distance, sink, memory);
        }
        inner.descend(values, numbers, from, to, free, 0, 0, new Origin(plan, 0, origin));
        inner.comparer.tellCompared();
    }

    private void compareAll(long[] values, int[] numbers, int from, int to, Origin origin) {
        begin(numbers, origin);
        comparer.within(values, from, to);
    }

    private void begin(int[] numbers, Origin origin) {
        ownNumbers = numbers;
        ownOrigin = origin;
    }

    private void meet(int i, int j, long differing) {
        if (ownOrigin.owns(differing)) {
            sink.pair(ownNumbers[i], ownNumbers[j], Long.bitCount(differing));
        }
    }
}
