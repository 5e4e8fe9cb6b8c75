/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever people say, the border contradicts as little of it as any border. */
class BorderTests {

    private static final double USUAL = 0.8;

    private static Sample.Pair pair(double similarity, boolean isNear) {
        return new Sample.Pair(0, -1, 1, 0, 1, 1, similarity, isNear);
    }

    /** Above 0: near; below: not. */
    private static Border of(double... judged) {
        List<Sample.Pair> pairs = new ArrayList<>();
        for (double each : judged) {
            pairs.add(pair(Math.abs(each), each > 0));
        }
        return Border.of(pairs, USUAL);
    }

    @Test
    void testItIsBetweenWhatIsNearAndWhatIsNot() {
        assertEquals(new Border(USUAL, 0, 1), of());
        assertEquals(new Border(0.76, 0.72, 0.8), of(-0.72, 0.8));
        assertEquals(new Border(0.76, 0.72, 0.8), of(-0.5, -0.72, 0.8, 1));
    }

    @Test
    void testItGoesNoFartherThanItHasTo() {
        assertEquals(new Border(USUAL, 0, 0.9), of(0.9));
        assertEquals(new Border(0.7, 0, 0.7), of(0.7, 0.9));
        assertEquals(new Border(USUAL, 0.6, 1), of(-0.6));
        assertEquals(new Border(0.95, 0.9, 1), of(-0.9));
    }

    @Test
    void testContradictionsWidenTheInterval() {
        Border border = of(-0.5, 0.6, -0.7, 0.8, 0.9);
        assertTrue(border.contradicts(pair(0.6, true)));
        assertEquals(0.6, border.low(), 0);
        assertEquals(0.75, border.value(), 0);
        assertEquals(0.8, border.high(), 0);
        assertEquals(new Border(USUAL, 0, 1), of(-1));
    }

    @Test
    void testNoBorderContradictsLess() {
        Random random = new Random(5);
        for (int run = 0; run < 2_000; run++) {
            List<Sample.Pair> judged = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                judged.add(pair(random.nextInt(21) / 20.0, random.nextBoolean()));
            }
            Border border = Border.of(judged, random.nextInt(1, 21) / 20.0);
            assertTrue(border.low() <= border.value() && border.value() <= border.high(), judged::toString);
            assertTrue(
                    judged.stream()
                            .noneMatch(pair -> pair.isNear()
                                    ? pair.similarity() < border.low()
                                    : pair.similarity() > border.high()),
                    "they agree outside of it");
            for (int i = 1; i <= 40; i++) {
                double least = i / 40.0;
                long wrong = judged.stream()
                        .filter(pair -> pair.isNear() != pair.similarity() >= least)
                        .count();
                assertTrue(wrong >= border.contradicted(judged), judged + ": " + border);
            }
        }
    }
}
