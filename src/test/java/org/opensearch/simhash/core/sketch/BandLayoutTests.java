/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;

/** Bands, and the probability that they find a pair. */
class BandLayoutTests {

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    @Test
    void testTermsAreTheNumberOfTheBandAndItsRows() {
        Sketch sketch = new Sketch(new byte[] {0, 0, 0, 9, 0x12, 0x34, 0x5a, 0x6f, 1, 2, 3, 4});
        assertEquals("[0024, 01af, 0212]", Arrays.toString(new BandLayout(8, 3, 2).terms(sketch)));
        assertEquals("[0024af1234]", Arrays.toString(new BandLayout(8, 1, 8).terms(sketch)));
    }

    /** 2,000 pairs each; the share found is within five deviations of the probability. */
    @Test
    void testTheRecallIsThatOfASimulation() {
        Random random = new Random(seed.value());
        int rounds = 2000;
        for (int[] sizes : new int[][] {{10, 10, 80}, {33, 33, 34}, {50, 50, 50}, {70, 70, 60}, {400, 400, 200}}) {
            double jaccard = sizes[2] / (double) (sizes[0] + sizes[1] + sizes[2]);
            for (BandLayout layout : new BandLayout[] {BandLayout.DEFAULT, new BandLayout(128, 16, 8)}) {
                int found = 0;
                for (int i = 0; i < rounds; i++) {
                    long[] all =
                            random.longs((long) sizes[0] + sizes[1] + sizes[2]).toArray();
                    long[] b = Arrays.copyOfRange(all, sizes[0], all.length);
                    found += share(
                                    layout,
                                    Sketch.of(all, sizes[0] + sizes[2], layout.permutations()),
                                    Sketch.of(b, b.length, layout.permutations()))
                            ? 1
                            : 0;
                }
                double recall = layout.recall(jaccard);
                double deviation = Math.sqrt(recall * (1 - recall) / rounds);
                // Components are drawn without replacement: rather more evenly than the formula has it.
                assertEquals(recall, found / (double) rounds, 5 * deviation + 0.02, layout + " at " + jaccard);
            }
        }
        assertTrue(BandLayout.DEFAULT.recall(0.8) > 0.9999999);
        assertEquals(0.93, BandLayout.DEFAULT.recall(0.5), 0.005);
    }

    private static boolean share(BandLayout layout, Sketch a, Sketch b) {
        Set<String> terms = new HashSet<>(Arrays.asList(layout.terms(a)));
        return Arrays.stream(layout.terms(b)).anyMatch(terms::contains);
    }

    @Test
    void testOptionsOutOfRangeAreRefused() {
        refused("[bands] times [rows] must be at most [permutations], got: 33 times 4 and 128", 128, 33, 4);
        refused("[permutations] must be between 1 and 1024, got: 0", 0, 1, 1);
        refused("[permutations] must be between 1 and 1024, got: 1025", 1025, 1, 1);
        refused("[bands] must be between 1 and 256, got: 257", 1024, 257, 1);
        refused("[rows] must be between 1 and 1024, got: -1", 128, 1, -1);
    }

    private static void refused(String message, int permutations, int bands, int rows) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> new BandLayout(permutations, bands, rows))
                        .getMessage());
    }
}
