/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.opensearch.test.OpenSearchTestCase;

/** The same bits as 64 plain counters give, whatever the weights and however many votes. */
public class BitVotesTests extends OpenSearchTestCase {

    private static final long[] WEIGHTS = {Weighting.ONE, Weighting.ONE, 0, 1, 433, 512, 65_535, 65_536, 1L << 40};

    private final BitVotes votes = new BitVotes();

    private static final long[] COMMON_WEIGHTS = {Weighting.ONE, 230, 1, 70_000};

    public void testAgainstPlainCounters() {
        for (int round = 0; round < 300; round++) {
            votes.clear();
            long[] counters = new long[Long.SIZE];
            int kinds = randomIntBetween(1, WEIGHTS.length);
            for (int i = randomFrom(new int[] {0, 1, 7, 8, 9, 127, 128, 129, 300, 2100, 9000}); i > 0; i--) {
                long hash = randomLong();
                long weight = WEIGHTS[randomInt(kinds - 1)];
                votes.add(hash, weight);
                count(hash, weight, counters);
            }
            for (int calls = randomInt(3); calls > 0; calls--) {
                long[] hashes = randomLongs(randomFrom(new int[] {0, 1, 7, 8, 9, 300, 2039, 2040, 2041, 9000}));
                int size = randomInt(hashes.length);
                long weight = COMMON_WEIGHTS[randomInt(COMMON_WEIGHTS.length - 1)];
                votes.addAll(hashes, size, weight);
                Arrays.stream(hashes, 0, size).forEach(hash -> count(hash, weight, counters));
            }
            long expected = 0;
            for (int bit = 0; bit < Long.SIZE; bit++) {
                expected |= counters[bit] > 0 ? 1L << bit : 0;
            }
            assertEquals("round " + round, Long.toHexString(expected), Long.toHexString(votes.fingerprint()));
        }
    }

    public void testTheSameHashOverAndOver() {
        for (int i = 0; i < 100_000; i++) {
            votes.add(0xF0F0L, Weighting.ONE);
        }
        assertEquals(0xF0F0L, votes.fingerprint());
    }

    public void testAllOfTheSameHash() {
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

    private static long[] randomLongs(int size) {
        return LongStream.generate(() -> randomLong()).limit(size).toArray();
    }

    private static int randomFrom(int[] values) {
        return values[randomInt(values.length - 1)];
    }
}
