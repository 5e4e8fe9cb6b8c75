/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Chooses the cheapest {@link BlockPlan} for given fingerprints. A bit that is nearly always set, or that depends on
 * another bit, separates fingerprints badly. So bits have weights, and blocks get equal total weights. The cost of a
 * plan is the time to sort and to compare, estimated from a sample.
 */
final class BlockChoice {

    /** Nanoseconds to put one fingerprint into its bucket for one block. */
    private static final double SORT = 20;

    /** Nanoseconds to compare two fingerprints of a small bucket. */
    private static final double COMPARE = 1.1;

    /** Nanoseconds to begin to compare a fingerprint with a range of others, and for each of these. */
    static final double BEGIN = 8;

    static final double EACH = 0.25;

    private static final double LN2 = Math.log(2);
    static final int MOST_COMBINATIONS = 5_000;

    private static final int MOST_LOOKED_AT = 12;
    private static final int MOST_BLOCKS = 24;

    /** After so many plans that cost more, one with still more blocks hardly costs less. */
    private static final int MOST_DEARER = 3;

    private final long[] sample;
    private final double[] weights = new double[Long.SIZE];
    private final int[] bits;

    /** @param free the bits that blocks may use */
    private BlockChoice(long[] sample, long free) {
        this.sample = sample;
        double[] agreement = agreement(sample);
        Arrays.setAll(weights, bit -> -Math.log(agreement[bit]) / LN2);
        this.bits = bestFirst(agreement, free);
    }

    /**
     * The cheapest plan.
     *
     * @param sample of the fingerprints to join
     * @param count how many fingerprints will be joined
     * @param free the bits in which fingerprints may differ
     * @param most limit for the number of combinations
     */
    static BlockPlan choose(long[] sample, long count, long free, int distance, int most) {
        return cheapest(sample, count, free, distance, most).plan();
    }

    /** As {@link #choose}, with the price. */
    static Priced<BlockPlan> cheapest(long[] sample, long count, long free, int distance, int most) {
        BlockChoice choice = new BlockChoice(sample, free);
        BlockPlan best = BlockPlan.quadratic(distance);
        double cheapest = count * comparing((double) count);
        int dearer = 0;
        for (int blocks = distance + 1; blocks <= Math.min(MOST_BLOCKS, choice.bits.length); blocks++) {
            int combinations = binomial(blocks, distance);
            if (combinations > most) {
                break;
            }
            BlockPlan plan = new BlockPlan(choice.blocks(blocks), distance);
            double cost = choice.cost(plan, count);
            if (cost < cheapest) {
                cheapest = cost;
                best = plan;
                dearer = 0;
            } else if (best.isQuadratic() == false && ++dearer == MOST_DEARER) {
                break;
            }
        }
        return new Priced<>(best, cheapest);
    }

    /** At most {@code most} values of a range, at equal intervals. */
    static long[] sample(long[] values, int from, int to, int most) {
        int count = to - from;
        long[] sample = new long[Math.min(most, count)];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = values[from + (int) ((long) i * count / sample.length)];
        }
        return sample;
    }

    static int binomial(int n, int k) {
        long result = 1;
        for (int i = 1; i <= Math.min(k, n - k); i++) {
            result = result * (n - i + 1) / i;
            if (result > Integer.MAX_VALUE / 32) {
                return Integer.MAX_VALUE / 32;
            }
        }
        return (int) result;
    }

    /** Nanoseconds to compare a fingerprint of a bucket with half of the others. */
    static double comparing(double size) {
        return Math.min(COMPARE * size / 2, BEGIN + EACH * size / 2);
    }

    /** Whether comparing all pairs of a bucket is cheaper than sorting it by further blocks. */
    static boolean isWorthComparing(double count, double blocks) {
        return comparing(count) < SORT * blocks;
    }

    /** Adds a block while that pays, like {@link Buckets}. */
    private double cost(BlockPlan plan, long count) {
        int distance = plan.distance();
        double nanos = 0;
        for (int depth = 1; ; depth++) {
            // Number of beginnings with this many blocks.
            double ways = binomial(distance + depth, depth);
            double more = binomial(distance + depth + 1, depth + 1) / ways;
            nanos += ways * SORT * count;
            double size = count * share(plan, depth);
            if (depth == plan.agreeing() || isWorthComparing(size, more)) {
                return nanos + ways * count * comparing(size);
            }
        }
    }

    /** The share of pairs that agree on {@code depth} blocks, averaged over random choices. */
    private double share(BlockPlan plan, int depth) {
        List<Long> blocks = new ArrayList<>(plan.blocks());
        Random random = new Random(depth);
        double sum = 0;
        for (int i = 0; i < MOST_LOOKED_AT; i++) {
            Collections.shuffle(blocks, random);
            sum += share(blocks.stream().limit(depth).reduce(0L, (a, b) -> a | b));
        }
        return sum / MOST_LOOKED_AT;
    }

    /** The share of pairs that agree on the bits of a mask. */
    private double share(long mask) {
        double independent = 0;
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            independent -= weights[Long.numberOfTrailingZeros(rest)];
        }
        long[] keys = new long[sample.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = sample[i] & mask;
        }
        Arrays.sort(keys);
        long pairs = 0;
        int start = 0;
        for (int i = 1; i <= keys.length; i++) {
            if (i == keys.length || keys[i] != keys[start]) {
                pairs += (long) (i - start) * (i - start - 1) / 2;
                start = i;
            }
        }
        double seen = pairs / (0.5 * keys.length * Math.max(1, keys.length - 1));
        return Math.max(seen, Math.exp(independent * LN2));
    }

    /** Each bit, the heaviest first, goes to the lightest block. */
    private List<Long> blocks(int count) {
        long[] blocks = new long[count];
        double[] sums = new double[count];
        for (int bit : bits) {
            int lightest = 0;
            for (int i = 1; i < count; i++) {
                if (sums[i] < sums[lightest] || (sums[i] == sums[lightest] && isSmaller(blocks[i], blocks[lightest]))) {
                    lightest = i;
                }
            }
            blocks[lightest] |= 1L << bit;
            sums[lightest] += weights[bit];
        }
        List<Long> list = new ArrayList<>();
        for (long block : blocks) {
            list.add(block);
        }
        return list;
    }

    private static boolean isSmaller(long a, long b) {
        return Long.bitCount(a) < Long.bitCount(b);
    }

    /** For each bit, the share of pairs that agree on it: a half if half of the fingerprints have it set. */
    static double[] agreement(long[] sample) {
        double[] agreement = new double[Long.SIZE];
        for (int bit = 0; bit < Long.SIZE; bit++) {
            int set = 0;
            for (long value : sample) {
                set += (int) (value >>> bit & 1);
            }
            double share = (double) set / Math.max(1, sample.length);
            agreement[bit] = share * share + (1 - share) * (1 - share);
        }
        return agreement;
    }

    /** The free bits, those on which the fewest pairs agree first. */
    static int[] bestFirst(double[] agreement, long free) {
        List<Integer> bits = new ArrayList<>();
        for (long rest = free; rest != 0; rest &= rest - 1) {
            bits.add(Long.numberOfTrailingZeros(rest));
        }
        bits.sort(Comparator.comparingDouble(bit -> agreement[bit]));
        return bits.stream().mapToInt(Integer::intValue).toArray();
    }
}
