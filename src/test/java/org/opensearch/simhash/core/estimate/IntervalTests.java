/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against the quantiles of the beta, the gamma and Student's distribution, as SciPy computes them. */
class IntervalTests {

    @Test
    void testSharesHaveTheIntervalOfClopperAndPearson() {
        assertShare(0, 10, 0, 0.354805, 1e-5);
        assertShare(1, 10, 0.645195, 1, 1e-5);
        assertShare(0.1, 10, 0.001257, 0.490636, 1e-3);
        assertShare(0.5, 10, 0.158502, 0.841498, 2e-3);
        assertShare(0.9, 30, 0.709990, 0.983778, 1e-3);
        assertShare(0.3, 100, 0.201538, 0.413844, 1e-4);
        assertShare(0.99, 1_000, 0.980367, 0.995712, 1e-4);
        assertShare(0.5, 3, 0.024194, 0.975806, 1e-2);
    }

    @Test
    void testASampleHasTheExactIntervalOfClopperAndPearson() {
        assertSample(0, 50, 0, 0.071122);
        assertSample(3, 50, 0.012549, 0.165482);
        assertSample(1, 10, 0.002529, 0.445016);
        assertSample(25, 50, 0.355273, 0.644727);
        assertSample(50, 50, 0.928878, 1);
        assertSample(1_000, 2_000, 0.477851, 0.522149);
        assertSample(7, 20_000, 0.000141, 0.000721);
        assertEquals(Interval.UNKNOWN, Interval.ofSample(0, 0));
    }

    private static void assertSample(int part, int all, double low, double high) {
        Interval interval = Interval.ofSample(part, all);
        assertEquals((double) part / all, interval.estimate());
        assertEquals(low, interval.low(), 1e-6);
        assertEquals(high, interval.high(), 1e-6);
    }

    /** Runs with 6 % wrong groups, of each of which 50 are looked at. */
    @Test
    void testOneSampleInTwentyAtMostMisses() {
        Random random = new Random(7);
        List<Integer> groups = IntStream.range(0, 2_000).boxed().collect(Collectors.toList());
        int holds = 0;
        for (int run = 0; run < 500; run++) {
            Collections.shuffle(groups, random);
            int wrong =
                    (int) groups.stream().limit(50).filter(group -> group < 120).count();
            Interval interval = Interval.ofSample(wrong, 50);
            holds += interval.low() <= 0.06 && 0.06 <= interval.high() ? 1 : 0;
        }
        assertTrue(holds >= 465, "held " + holds + " of 500 times");
    }

    private static void assertShare(double share, double observations, double low, double high, double error) {
        Interval interval = Interval.ofShare(share, observations);
        assertEquals(low, interval.low(), error);
        assertEquals(high, interval.high(), error);
        assertTrue(interval.low() <= low + 1e-4 && interval.high() >= high - 1e-4, "narrower: " + interval);
    }

    /** Of unit weights: the exact interval of Poisson's distribution. */
    @Test
    void testCountsHaveTheGammaInterval() {
        Interval none = Interval.ofCount(0, 0, 0, 1);
        assertEquals(0, none.low());
        assertEquals(4.382027, none.high(), 0.01);
        Interval ten = Interval.ofCount(10, 10, 0, 1);
        assertEquals(4.278148, ten.low(), 0.02);
        assertEquals(19.728877, ten.high(), 0.02);
    }

    @Test
    void testFewDegreesOfFreedomLeaveLess() {
        assertEquals(Math.pow(1.959964 / 2.241403, 2), Interval.certainty(Double.POSITIVE_INFINITY), 1e-9);
        assertEquals(Math.pow(1.959964 / 2.633767, 2), Interval.certainty(10), 1e-3);
        assertEquals(Math.pow(1.959964 / 4.176536, 2), Interval.certainty(3), 0.01);
    }
}
