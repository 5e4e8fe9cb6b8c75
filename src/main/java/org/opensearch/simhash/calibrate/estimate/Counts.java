/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/** The interval of an estimated count of pairs. */
final class Counts {

    private static final double TAIL = 0.0125;

    private Counts() {}

    /** @param most what one document adds at most */
    static Interval interval(double total, Clusters.Spread spread, double most) {
        // At least the variance of pairs found by chance alone.
        double variance = Math.max(spread.variance(), total * most / Math.max(1, total));
        double low = total == 0 ? 0 : variance / total * Quantiles.gamma(TAIL, total * total / variance);
        double widened = variance + most * most;
        double upper = total + most;
        double high = widened / upper * Quantiles.gamma(1 - TAIL, upper * upper / widened);
        return Interval.of(total, low, high);
    }
}
