/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/**
 * An estimate of a number of the whole index.
 *
 * @param estimate null if nothing was observed
 * @param low the truth is between low and high 95 of 100 times
 */
public record Interval(Double estimate, double low, double high) {

    /** A share without any observation. */
    public static final Interval UNKNOWN = new Interval(null, 0, 1);

    /** @throws IllegalArgumentException if the values are not in order, or one is no number */
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
