/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;

/** What docs/figures/scale.md says of chance, candidates and passes. */
class ScaleModelTests {

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());

    @Test
    void testChancePairsAreThoseOfRandomFingerprints() {
        long[] values = random.longs(3_000).toArray();
        int distance = 20;
        long pairs = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < i; j++) {
                pairs += Long.bitCount(values[i] ^ values[j]) <= distance ? 1 : 0;
            }
        }
        double expected = ScaleModel.chancePairs(values.length, distance);
        // Six times the square root of the number: once in a thousand million runs by chance.
        assertEquals(expected, (double) pairs, 6 * Math.sqrt(expected), "of " + expected);
    }

    @Test
    void testASearchLooksUpAsManyValuesAsThePlanSays() {
        double each = 1 << 16;
        assertEquals(4, ScaleModel.candidates(each, 3, 4));
        assertEquals(20, ScaleModel.candidates(each, 4, 4));
        assertEquals(68, ScaleModel.candidates(each, 7, 4));
        assertEquals(428, ScaleModel.candidates(each, 10, 4));
        assertEquals(548, ScaleModel.candidates(each, 11, 4));
    }

    @Test
    void testPassesOfOneNodeFollowOneAnother() {
        double one = new PassSimulation(1, 2).seconds(1, 3, 10);
        assertEquals(3 + 10 / 2.0, one, 1e-6);
        assertEquals(6 * one, new PassSimulation(1, 2).seconds(6, 3, 10), 1e-6);
    }

    @Test
    void testNodesShareTheScansAndDoNotWaitForOneAnother() {
        int nodes = 10;
        double scan = 1 + random.nextInt(5);
        double join = 10 + random.nextInt(50);
        double seconds = new PassSimulation(nodes, 2).seconds(nodes, scan, join);
        double work = nodes * (nodes * scan + join) / (nodes * 2);
        assertTrue(seconds >= work - 1e-6, seconds + " is less than all work on all cores: " + work);
        assertEquals(nodes * scan / 2 + join / 2, seconds, 1e-6);
    }

    @Test
    void testTheModelHasTheFiguresOfTheDocumentation() {
        ScaleModel model = new ScaleModel(1_000_000_000, 3, random.longs(4_096).toArray(), 0.1);
        assertEquals(64L * 1_000_000, ScaleModel.heap(1_000_000));
        assertEquals(48L * 1_000_000, ScaleModel.disk(1_000_000));
        assertEquals(1, model.chunks(1_000_000_000, 1));
        assertEquals(5, model.chunks(1_000_000_000, 10));
        assertEquals(20, model.chunks(100_000_000, 10));
    }
}
