/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
