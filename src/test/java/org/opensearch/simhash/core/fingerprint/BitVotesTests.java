/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;

/** The same bits as 64 plain counters give, whatever the weights and however many votes. */
class BitVotesTests {

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final Random random = new Random(seed.value());

    private static final long[] WEIGHTS = {Weighting.ONE, Weighting.ONE, 0, 1, 433, 512, 65_535, 65_536, 1L << 40};

    private final BitVotes votes = new BitVotes();

    private static final long[] COMMON_WEIGHTS = {Weighting.ONE, 230, 1, 70_000};

    @Test
    void testAgainstPlainCounters() {
        for (int round = 0; round < 300; round++) {
            votes.clear();
            long[] counters = new long[Long.SIZE];
            int kinds = 1 + random.nextInt(WEIGHTS.length);
            for (int i = randomFrom(new int[] {0, 1, 7, 8, 9, 127, 128, 129, 300, 2100, 9000}); i > 0; i--) {
                long hash = random.nextLong();
                long weight = WEIGHTS[random.nextInt(kinds)];
                votes.add(hash, weight);
                count(hash, weight, counters);
            }
            for (int calls = random.nextInt(3 + 1); calls > 0; calls--) {
                long[] hashes = randomLongs(randomFrom(new int[] {0, 1, 7, 8, 9, 300, 2039, 2040, 2041, 9000}));
                int size = random.nextInt(hashes.length + 1);
                long weight = COMMON_WEIGHTS[random.nextInt(COMMON_WEIGHTS.length)];
                votes.addAll(hashes, size, weight);
                Arrays.stream(hashes, 0, size).forEach(hash -> count(hash, weight, counters));
            }
            long expected = 0;
            for (int bit = 0; bit < Long.SIZE; bit++) {
                expected |= counters[bit] > 0 ? 1L << bit : 0;
            }
            assertEquals(Long.toHexString(expected), Long.toHexString(votes.fingerprint()), "round " + round);
        }
    }

    @Test
    void testTheSameHashOverAndOver() {
        for (int i = 0; i < 100_000; i++) {
            votes.add(0xF0F0L, Weighting.ONE);
        }
        assertEquals(0xF0F0L, votes.fingerprint());
    }

    @Test
    void testAllOfTheSameHash() {
        long[] hashes = new long[100_000];
        Arrays.fill(hashes, 0xF0F0L);
        votes.addAll(hashes, hashes.length, Weighting.ONE);
        votes.add(0xF00L, hashes.length * (long) Weighting.ONE - 1);
        assertEquals(0xF0F0L, votes.fingerprint());
        votes.add(0xF00L, 2);
        assertEquals(0xF00L, votes.fingerprint());
    }

    private static void count(long hash, long weight, long[] counters) {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            counters[bit] += (hash >>> bit & 1) == 1 ? weight : -weight;
        }
    }

    private long[] randomLongs(int size) {
        return random.longs(size).toArray();
    }

    private int randomFrom(int[] values) {
        return values[random.nextInt(values.length)];
    }
}
