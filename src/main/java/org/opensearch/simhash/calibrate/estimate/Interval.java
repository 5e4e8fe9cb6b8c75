/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/**
 * A number of the whole index as a sample shows it.
 *
 * @param estimate the most likely value; null where nothing was seen that tells
 * @param low with {@code high} what holds the truth 95 of 100 times
 * @param high at least {@code low}
 */
public record Interval(Double estimate, double low, double high) {

    /** A share of which nothing is known. */
    public static final Interval UNKNOWN = new Interval(null, 0, 1);

    /** @throws IllegalArgumentException when the values are not in their order, or one is no number */
    public Interval {
        double middle = estimate == null ? low : estimate;
        if ((low <= middle && middle <= high) == false || Double.isFinite(high) == false) {
            throw new IllegalArgumentException("[low] must be at most [estimate], and that at most [high], got: " + low
                    + ", " + estimate + ", " + high);
        }
    }

    static Interval of(double estimate, double low, double high) {
        return new Interval(estimate, Math.min(low, estimate), Math.max(high, estimate));
    }

    static Interval exactly(double value) {
        return new Interval(value, value, value);
    }
}
