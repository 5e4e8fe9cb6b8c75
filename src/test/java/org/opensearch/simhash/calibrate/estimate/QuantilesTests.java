/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Quantiles are those of tables. */
class QuantilesTests {

    /** Values of tables: 95 % intervals of Clopper and Pearson for 0 and for 3 of 10. */
    @Test
    void testIntervalsOfClopperAndPearson() {
        assertEquals(0.3085, Quantiles.beta(0.975, 1, 10), 1e-4);
        assertEquals(0.0667, Quantiles.beta(0.025, 3, 8), 1e-4);
        assertEquals(0.6525, Quantiles.beta(0.975, 4, 7), 1e-4);
    }

    /** Of counts, by Garwood: 0 seen, up to 3.689; 10 seen, 4.795 to 18.39. */
    @Test
    void testIntervalsOfCounts() {
        assertEquals(3.689, Quantiles.gamma(0.975, 1), 1e-3);
        assertEquals(4.795, Quantiles.gamma(0.025, 10), 1e-3);
        assertEquals(18.39, Quantiles.gamma(0.975, 11), 1e-2);
    }

    @Test
    void testStudent() {
        assertEquals(12.706, Quantiles.student(0.975, 1), 1e-3);
        assertEquals(2.571, Quantiles.student(0.975, 5), 1e-3);
        assertEquals(1.960, Quantiles.student(0.975, Double.POSITIVE_INFINITY), 1e-3);
    }

    /** Whatever the shape, the share of the distribution below the quantile is the one that was asked for. */
    @Test
    void testQuantilesAreWhereTheDistributionIs() {
        double[] shapes = {0.01, 0.3, 1, 2.5, 40, 3_000, 1e6, 1e8};
        for (double p : new double[] {0.0125, 0.5, 0.9875}) {
            for (double a : shapes) {
                for (double b : shapes) {
                    double x = Quantiles.beta(p, a, b);
                    double below = Quantiles.distribution(x * (1 - 1e-4), a, b);
                    double above = Quantiles.distribution(Math.min(1, x * (1 + 1e-4)), a, b);
                    boolean holds = below <= p + 1e-6 && p - 1e-6 <= above;
                    assertTrue(holds, p + ", " + a + ", " + b + ": " + x + ", from " + below + " to " + above);
                }
            }
        }
    }

    @Test
    void testEnds() {
        assertEquals(0, Quantiles.beta(0.025, 0, 5));
        assertEquals(1, Quantiles.beta(0.975, 5, 0));
        assertEquals(0, Quantiles.gamma(0.025, 0));
        // Shares may be very small, and weigh millions of pairs.
        assertEquals(1e-9 * 3.689, Quantiles.beta(0.975, 1, 1e9), 1e-12);
    }
}
