/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;

/** If near documents reach several nodes, one is the original, in any order of events. */
class PeerModelTests {

    /** {@code -Dpeers.runs=} for more. */
    private static final int RUNS = Rounds.of("peers.runs", 25, 1_000);

    private static final int STEPS = 300;

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    @Test
    void testOneOfNearDocumentsIsTheOriginalWhileNodesJoin() {
        run(false);
    }

    @Test
    void testNoneWaitsForEverWhileNodesAreKilled() {
        run(true);
    }

    private void run(boolean isKilling) {
        Random random = new Random(seed.value());
        for (int run = 0; run < RUNS; run++) {
            long one = random.nextLong();
            try {
                new PeerModel(one, isKilling).run(STEPS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("run with seed " + one, e);
            }
        }
    }
}
