/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.SplittableRandom;

/** Fingerprints as they come: uniform, skewed, in chains. */
public final class JoinCases {

    private JoinCases() {}

    /** What a join of so many is expected to take, by a sample of them: nanoseconds of all threads together. */
    public static double nanos(long[] sample, long count, int distance) {
        return JoinCost.cheapest(sample, count, distance).nanos();
    }

    /** Nine of ten are random; one of ten is an earlier one with some bits flipped. */
    static long[] uniform(int count, int flips, SplittableRandom random) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = i > 0 && random.nextInt(10) == 0
                    ? flip(values[random.nextInt(i)], random.nextInt(flips + 1), random)
                    : random.nextLong();
        }
        return values;
    }

    /** Most bits are set with a probability far from a half, and some bits always go together. */
    static long[] skewed(int count, SplittableRandom random) {
        double[] share = new double[Long.SIZE];
        for (int bit = 0; bit < share.length; bit++) {
            share[bit] = bit % 4 == 0 ? 0.5 : Math.pow(random.nextDouble(), 4);
        }
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            for (int bit = 0; bit < share.length; bit++) {
                boolean set = bit >= 48 ? (values[i] >>> (bit - 48) & 1) == 1 : random.nextDouble() < share[bit];
                values[i] |= set ? 1L << bit : 0;
            }
        }
        return values;
    }

    /** Each one is an earlier one with a bit or two flipped. */
    static long[] chained(int count, SplittableRandom random) {
        long[] values = new long[count];
        values[0] = random.nextLong();
        for (int i = 1; i < count; i++) {
            values[i] = flip(values[random.nextInt(Math.max(0, i - 5), i)], 1 + random.nextInt(2), random);
        }
        return values;
    }

    static long flip(long value, int bits, SplittableRandom random) {
        long flipped = value;
        for (int i = 0; i < bits; i++) {
            flipped ^= 1L << random.nextInt(Long.SIZE);
        }
        return flipped;
    }
}
