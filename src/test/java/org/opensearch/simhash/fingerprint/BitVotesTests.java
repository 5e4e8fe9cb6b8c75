/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import org.opensearch.test.OpenSearchTestCase;

/** The same bits as 64 plain counters give, whatever the weights and however many votes. */
public class BitVotesTests extends OpenSearchTestCase {

    private static final long[] WEIGHTS = {Weighting.ONE, Weighting.ONE, 0, 1, 433, 512, 65_535, 65_536, 1L << 40};

    private final BitVotes votes = new BitVotes();

    public void testAgainstPlainCounters() {
        for (int round = 0; round < 300; round++) {
            votes.clear();
            long[] counters = new long[Long.SIZE];
            int kinds = randomIntBetween(1, WEIGHTS.length);
            for (int i = randomFrom(new int[] {0, 1, 7, 8, 9, 127, 128, 129, 300, 2100, 9000}); i > 0; i--) {
                long hash = randomLong();
                long weight = WEIGHTS[randomInt(kinds - 1)];
                votes.add(hash, weight);
                for (int bit = 0; bit < Long.SIZE; bit++) {
                    counters[bit] += (hash >>> bit & 1) == 1 ? weight : -weight;
                }
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

    private static int randomFrom(int[] values) {
        return values[randomInt(values.length - 1)];
    }
}
