/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;

/** What sketches say of sets, against the sets themselves. */
class SketchTests {

    private static final int PERMUTATIONS = BandLayout.DEFAULT_PERMUTATIONS;

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    /** Two sets of given sizes with so many features in common. */
    private record Pair(Sketch a, Sketch b) {
        static Pair random(Random random, int onlyA, int onlyB, int shared) {
            long[] all = random.longs((long) onlyA + onlyB + shared).toArray();
            long[] b = Arrays.copyOfRange(all, onlyA, all.length);
            return new Pair(Sketch.of(all, onlyA + shared, PERMUTATIONS), Sketch.of(b, b.length, PERMUTATIONS));
        }

        double similarity() {
            return Sketch.similarity(a.agreeing(b), PERMUTATIONS);
        }
    }

    /** The order of rounds, components and bytes is for ever: another one is another scheme. */
    @Test
    void testASketchOfGivenFeaturesNeverChanges() {
        long[] features = new long[10];
        for (int i = 0; i < features.length; i++) {
            features[i] = 0x9E3779B97F4A7C15L * (i + 1);
        }
        assertEquals("AAAACtl8/iyLNHfB2FN+C6trjm8=", Sketch.of(features, 10, 16).toBase64());
        assertEquals("AAAAAdkVHY9+GoiUYqHstFYvYIo=", Sketch.of(features, 1, 16).toBase64());
    }

    @Test
    void testTheEstimateIsRightOnAverageAndSpreadsNoMoreThanMinHash() {
        Random random = new Random(seed.value());
        for (int[] sizes : new int[][] {{10, 10, 180}, {50, 50, 100}, {5, 5, 10}, {2000, 500, 1500}, {300, 300, 60}}) {
            double jaccard = sizes[2] / (double) (sizes[0] + sizes[1] + sizes[2]);
            int rounds = 400;
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < rounds; i++) {
                double error = Pair.random(random, sizes[0], sizes[1], sizes[2]).similarity() - jaccard;
                sum += error;
                squares += error * error;
            }
            double deviation = Math.sqrt(jaccard * (1 - jaccard) / PERMUTATIONS);
            assertEquals(0, sum / rounds, 5 * deviation / Math.sqrt(rounds) + 0.002, "mean of " + jaccard);
            assertTrue(Math.sqrt(squares / rounds) < 1.2 * deviation + 0.002, "spread of " + jaccard);
        }
    }

    @Test
    void testEqualSetsAgreeInEveryComponentInWhateverOrder() {
        Random random = new Random(seed.value());
        for (int size : new int[] {1, 2, 4, 100, 5000}) {
            long[] features = random.longs(size).toArray();
            long[] reversed = new long[size];
            Arrays.setAll(reversed, i -> features[size - 1 - i]);
            Sketch sketch = Sketch.of(features, size, PERMUTATIONS);
            assertEquals(sketch, Sketch.of(reversed, size, PERMUTATIONS));
            assertEquals(PERMUTATIONS, sketch.agreeing(sketch));
            assertEquals(size, sketch.size());
        }
    }

    @Test
    void testAgreementIsThatOfTheComponentsForEveryNumberOfThem() {
        Random random = new Random(seed.value());
        for (int permutations = 1; permutations < 40; permutations++) {
            long[] features = random.longs(60).toArray();
            Sketch a = Sketch.of(features, 40, permutations);
            Sketch b = Sketch.of(Arrays.copyOfRange(features, 20, 60), 40, permutations);
            int agreeing = 0;
            for (int i = 0; i < permutations; i++) {
                agreeing += a.component(i) == b.component(i) ? 1 : 0;
            }
            assertEquals(agreeing, a.agreeing(b));
            byte[] around = new byte[b.bytes().length + 7];
            System.arraycopy(b.bytes(), 0, around, 3, b.bytes().length);
            assertEquals(agreeing, a.agreeing(around, 3));
            assertEquals(40, Sketch.size(around, 3));
        }
    }

    @Test
    void testTheLeastNumberOfAgreeingComponentsIsTheSmallestOfThatSimilarity() {
        for (double minimum : new double[] {0, 0.001, 0.33, 0.5, 0.8, 0.999, 1}) {
            int least = Sketch.leastAgreeing(minimum, PERMUTATIONS);
            assertTrue(Sketch.similarity(least, PERMUTATIONS) >= minimum);
            assertTrue(least == 0 || Sketch.similarity(least - 1, PERMUTATIONS) < minimum);
        }
        assertEquals(1, Sketch.similarity(PERMUTATIONS, PERMUTATIONS));
    }

    @Test
    void testContainmentIsTheShareOfTheSmallerSet() {
        assertEquals(1, Sketch.containment(64 / 198.0, 64, 198), 1e-9);
        assertEquals(0.5, Sketch.containment(50 / 250.0, 100, 200), 1e-9);
        assertEquals(0, Sketch.containment(0, 100, 200));
        assertEquals(1, Sketch.containment(0.9, 10, 1000), "no more than all of it");
    }

    @Test
    void testReadsWhatItWrites() {
        Sketch sketch = Sketch.of(new Random(seed.value()).longs(50).toArray(), 50, PERMUTATIONS);
        assertEquals(sketch, Sketch.fromBase64(sketch.toBase64()));
        assertEquals(176, sketch.toBase64().length());
        for (String other : new String[] {"", "AAAA", "no base64!"}) {
            assertEquals(
                    "[sketch] must be what the processor [minhash] writes",
                    assertThrows(IllegalArgumentException.class, () -> Sketch.fromBase64(other))
                            .getMessage());
        }
    }
}
