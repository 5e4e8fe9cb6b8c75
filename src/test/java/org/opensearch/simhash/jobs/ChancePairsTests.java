/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.Optional;
import java.util.SplittableRandom;
import org.opensearch.test.OpenSearchTestCase;

/** A job tells before it joins that a distance finds pairs by chance. */
public class ChancePairsTests extends OpenSearchTestCase {

    private static final int DRAWN = 3_000;

    private final SplittableRandom random = new SplittableRandom(7);

    public void testUnrelatedFingerprintsAreNearByChanceAtALargeDistanceOnly() {
        assertEquals(Optional.empty(), random(new ChancePairs(11)).sentence(DRAWN, true));
        String warning = random(new ChancePairs(16)).sentence(DRAWN, true).orElseThrow();
        assertTrue(warning, warning.contains("within 16 bits most pairs are near by chance: in a sample of 3000"));
        assertTrue(warning, warning.contains("The texts of most are compared in vain, for some 1 seconds"));
        assertTrue(warning, warning.endsWith("[sketch] minhash compares fewer"));
    }

    public void testTheNumberOfPairsGrowsWithTheSquareOfTheDocuments() {
        ChancePairs chance = random(new ChancePairs(16));
        // A pair is as near with a probability of 3.9e-5.
        assertEquals(3.9e-5 * 5e11, expected(chance, 1_000_000), 6e6);
        assertEquals(3.9e-5 * 5e13, expected(chance, 10_000_000), 6e8);
    }

    public void testNearDuplicatesPrevail() {
        var near = new ChancePairs(16);
        random(near);
        for (int i = 0; i < 1_000; i++) {
            near.add(i < 500 ? 0 : 1L << random.nextInt(64), "a");
        }
        assertEquals(Optional.empty(), near.sentence(100_000, false));
    }

    public void testFingerprintsOfSchemesAreNoPairs() {
        var chance = new ChancePairs(16);
        for (int i = 0; i < DRAWN; i++) {
            chance.add(random.nextLong(), i);
        }
        assertEquals(Optional.empty(), chance.sentence(DRAWN, false));
    }

    private ChancePairs random(ChancePairs chance) {
        for (int i = 0; i < DRAWN; i++) {
            chance.add(random.nextLong(), "a");
        }
        return chance;
    }

    private static double expected(ChancePairs chance, long documents) {
        return Double.parseDouble(
                chance.sentence(documents, false).orElseThrow().replaceAll(".*so about ([0-9]+) pairs.*", "$1"));
    }
}
