/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Finds the near pairs of some fingerprints by a plan: scatters them into buckets of those that agree on one block, each of these
 * into buckets of those that agree on a later block, too, and so on, until a bucket is small enough to be compared pair by pair. So
 * combinations of blocks that begin with the same blocks are sorted by these once. A bucket that stays too large is joined by blocks
 * of its own, made of the bits on which its fingerprints may differ.
 *
 * <p>Memory: per depth a copy of the largest bucket. One thread.
 */
final class Buckets {

    /** What a thread takes for each fingerprint of the largest bucket, at each depth. */
    static final int BYTES = Long.BYTES + Integer.BYTES;

    /** Larger buckets of a whole combination are worth the choice of blocks. */
    private static final int REFINED = 1_024;

    private static final int SMALL = 24;

    private static final int SAMPLE = 512;
    private static final int CHECKED = 1 << 20;

    /** Odd, with a good mix of ones: spreads the masked bits over the highest ones. */
    static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private static final int MOST_BITS = 11;

    /** Two to the power of this are in a bin, and twice as many. */
    private static final int TOGETHER = 3;

    /**
     * Where a bucket comes from: its fingerprints agree on some blocks. A pair of it counts when it agrees on no others of the blocks
     * up to the last of these, at every depth.
     *
     * @param agreed the blocks, as a set of positions
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

    /** The buckets of one depth. */
    private final class Level {
        private long[] values = new long[0];
        private int[] numbers = new int[0];
        private final int[] starts = new int[(1 << MOST_BITS) + 1];

        /** Counts the values of each bin of a hash of the masked bits; returns whether one has all. */
        boolean count(long[] from, int first, int end, long mask, int sorted, int bits) {
            int bins = 1 << bits;
            int shift = Long.SIZE - bits;
            Arrays.fill(starts, 0, bins + 1, 0);
            for (int i = first; i < end; i++) {
                starts[bin(from[i] & mask, sorted, shift)]++;
            }
            return starts[bin(from[first] & mask, sorted, shift)] == end - first;
        }

        /** Puts those that were counted into their bins. */
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
    private final PairSink sink;
    private final LongConsumer memory;
    private final List<Level> levels = new ArrayList<>();
    private Buckets inner;
    private long compared;

    /** @param memory is told the bytes before they are taken, and may refuse them; all are kept to the end */
    Buckets(int distance, PairSink sink, LongConsumer memory) {
        this.distance = distance;
        this.sink = sink;
        this.memory = memory;
    }

    /** Finds the pairs of the first {@code count} values, which differ from each other. */
    void join(long[] values, int[] numbers, int count, BlockPlan plan) {
        Origin origin = new Origin(plan, 0, null);
        if (plan.isQuadratic()) {
            compareAll(values, numbers, 0, count, origin);
        } else {
            descend(values, numbers, 0, count, -1L, 0, 0, origin);
        }
        tellCompared();
    }

    /**
     * Finds those that agree on a block and on none before it.
     *
     * @param sorted bits of the block's hash that all values agree on
     */
    void join(long[] values, int[] numbers, int from, int to, BlockPlan plan, int block, int sorted) {
        scatter(values, numbers, from, to, -1L, 0, block, sorted, new Origin(plan, 0, null).with(block));
        tellCompared();
    }

    /** Compares values with all behind them: those from {@code first} to {@code end}, of so many. */
    void compareStripe(long[] values, int[] numbers, int first, int end, int count, BlockPlan plan) {
        Origin origin = new Origin(plan, 0, null);
        for (int i = first; i < end; i++) {
            compare(values, numbers, i, count, origin);
        }
        tellCompared();
    }

    /**
     * Finds the pairs of a bucket.
     *
     * @param free bits on which its fingerprints may differ
     * @param depth how many blocks they agree on
     * @param next the first block behind these
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

    /** @param sorted bits of the block's hash that all agree on */
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
        // A block of few bits needs one more, lest its values meet in its hash.
        int left = Long.bitCount(mask) + 1 - sorted;
        // Some are compared sooner than they are told apart.
        int bits =
                Math.min(left, Math.clamp(Integer.SIZE - Integer.numberOfLeadingZeros(count) - TOGETHER, 1, MOST_BITS));
        if (left == 0) {
            descend(values, numbers, from, to, free & ~mask, depth + 1, block + 1, agreed);
            return;
        }
        Level level = level(sorted == 0 ? 2 * depth : 2 * depth + 1);
        if (level.count(values, from, to, mask, sorted, bits)) {
            // All are in one: they stay where they are.
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
        inner.tellCompared();
    }

    private void compareAll(long[] values, int[] numbers, int from, int to, Origin origin) {
        for (int i = from; i < to - 1; i++) {
            compare(values, numbers, i, to, origin);
        }
    }

    /** Four at a time: most of them are near to nothing. */
    private void compare(long[] values, int[] numbers, int i, int to, Origin origin) {
        long value = values[i];
        int j = i + 1;
        for (; j <= to - 4; j += 4) {
            int first = Math.min(Long.bitCount(value ^ values[j]), Long.bitCount(value ^ values[j + 1]));
            int second = Math.min(Long.bitCount(value ^ values[j + 2]), Long.bitCount(value ^ values[j + 3]));
            if (Math.min(first, second) <= distance) {
                tellNear(values, numbers, i, j, j + 4, origin);
            }
        }
        tellNear(values, numbers, i, j, to, origin);
        compared += to - i - 1;
        if (compared > CHECKED) {
            tellCompared();
        }
    }

    private void tellNear(long[] values, int[] numbers, int i, int from, int to, Origin origin) {
        long value = values[i];
        for (int j = from; j < to; j++) {
            int bits = Long.bitCount(value ^ values[j]);
            if (bits <= distance && origin.owns(value ^ values[j])) {
                sink.pair(numbers[i], numbers[j], bits);
            }
        }
    }

    private void tellCompared() {
        sink.compared(compared);
        compared = 0;
    }
}
