/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.RandomSeed;

/** Buckets that are joined by blocks of their own find each pair once, as all others do. */
class BucketsTests {

    private static final int DISTANCE = 3;
    private static final List<Long> QUARTERS = List.of(0xFFFFL, 0xFFFFL << 16, 0xFFFFL << 32, 0xFFFFL << 48);

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());

    @Test
    void testLargeBucketsAreJoinedByBlocksOfTheirOwn() {
        // All agree on a quarter: its bucket holds all of them, and those of the other quarters next to none.
        long[] values = JoinCases.uniform(6_000, DISTANCE, random);
        for (int i = 0; i < values.length; i++) {
            values[i] &= ~0xFFFFL;
        }
        values = distinct(values);
        Found found = join(values);
        assertEquals(bruteForce(values), found.pairs);
        long all = (long) values.length * (values.length - 1) / 2;
        assertTrue(found.compared < all / 2, found.compared + " of " + all);
    }

    /** Some in one bucket, some in many: a pair may meet in both. */
    @Test
    void testPairsAreFoundOnceWhereverTheyMeet() {
        long[] values = JoinCases.uniform(6_000, DISTANCE, random);
        for (int i = 0; i < values.length; i++) {
            values[i] &= i % 2 == 0 ? -1L : random.nextBoolean() ? ~0xFFFFL : 0x0FFF_F0FF_0F0FL;
        }
        values = distinct(values);
        assertEquals(bruteForce(values), join(values).pairs);
    }

    private static long[] distinct(long[] values) {
        return Cliques.distinct(values);
    }

    private static Set<Long> bruteForce(long[] values) {
        Set<Long> pairs = new HashSet<>();
        for (int a = 0; a < values.length; a++) {
            for (int b = a + 1; b < values.length; b++) {
                if (Long.bitCount(values[a] ^ values[b]) <= DISTANCE) {
                    pairs.add(pair(a, b));
                }
            }
        }
        return pairs;
    }

    private static long pair(int a, int b) {
        return (long) Math.min(a, b) << Integer.SIZE | Math.max(a, b);
    }

    private static Found join(long[] values) {
        Found found = new Found();
        Buckets buckets = new Buckets(DISTANCE, found, bytes -> {});
        BlockPlan plan = new BlockPlan(new ArrayList<>(QUARTERS), DISTANCE);
        int[] numbers = new int[values.length];
        Arrays.setAll(numbers, i -> i);
        buckets.join(values, numbers, values.length, plan);
        return found;
    }

    private static final class Found implements LinkSink {

        private final Set<Long> pairs = new HashSet<>();
        private long compared;

        @Override
        public void pair(int a, int b, int bits) {
            assertTrue(pairs.add(BucketsTests.pair(a, b)), "twice: " + a + ", " + b);
        }

        @Override
        public void compared(long more) {
            compared += more;
        }
    }
}
