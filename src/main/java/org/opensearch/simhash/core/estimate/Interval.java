/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

/**
 * An estimate of a number of the whole index; the estimate is null if nothing was observed. The truth is between
 * {@code low} and {@code high} 95 of 100 times.
 *
 * <p>Quantiles come from closed approximations that are at most a little too wide: of the binomial distribution by
 * Pratt (1968), of the gamma distribution by Wilson and Hilferty (1931), of Student's by Wallace (1959).
 */
public record Interval(Double estimate, double low, double high) {

    /** A share without any observation. */
    public static final Interval UNKNOWN = new Interval(null, 0, 1);

    /** Beyond each end. Less than 2.5 %, because the number of observations is an estimate, too. */
    private static final double TAIL = 0.0125;

    private static final double EXACT_TAIL = 0.025;

    /** The quantile of the normal distribution for this tail, and for one of 2.5 %. */
    private static final double NORMAL = 2.241403;

    private static final double USUAL_NORMAL = 1.959964;

    public Interval {
        double middle = estimate == null ? low : estimate;
        if ((low <= middle && middle <= high) == false || Double.isFinite(high) == false) {
            throw new IllegalArgumentException("[low] must be at most [estimate], and that at most [high], got: " + low
                    + ", " + estimate + ", " + high);
        }
    }

    double width() {
        return high - low;
    }

    static Interval of(double estimate, double low, double high) {
        return new Interval(estimate, Math.min(low, estimate), Math.max(high, estimate));
    }

    static Interval exactly(double value) {
        return new Interval(value, value, value);
    }

    /** The interval of Clopper and Pearson, of independent observations. It has a width also for a share of 0 or 1. */
    static Interval ofShare(double share, double observations) {
        double part = observations * share;
        double rest = observations - part;
        return of(share, 1 - mostOf(rest, part), mostOf(part, rest));
    }

    /**
     * The exact interval of Clopper and Pearson, with 2.5 % beyond each end: for a number that somebody signs.
     *
     * @param part of {@code all} observations, each of which takes some microseconds
     */
    public static Interval ofSample(int part, int all) {
        if (all == 0) {
            return UNKNOWN;
        }
        return new Interval((double) part / all, 1 - exactMost(all - part, all), exactMost(part, all));
    }

    /** The share with which no more than a part is seen in 2.5 of 100 samples. */
    private static double exactMost(int part, int all) {
        double low = (double) part / all;
        double high = 1;
        for (double middle = (low + high) / 2; part < all && low < middle && middle < high; middle = (low + high) / 2) {
            // Logarithms: the probability of none in some thousands is too small for a number.
            double probability = all * Math.log1p(-middle);
            double sum = probability;
            for (int i = 1; i <= part; i++) {
                probability += Math.log((all - i + 1) * middle / (i * (1 - middle)));
                sum = Math.max(sum, probability) + Math.log1p(Math.exp(-Math.abs(sum - probability)));
            }
            if (sum > Math.log(EXACT_TAIL)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The largest share of a part that fits to its observations and those of the rest. */
    private static double mostOf(double part, double rest) {
        double n = part + rest;
        if (rest <= 0) {
            return 1;
        }
        if (part <= 0) {
            return -Math.expm1(Math.log(TAIL) / n);
        }
        double a = part + 1;
        double z = NORMAL * NORMAL;
        double root = Math.sqrt(Math.max(0, 9 * a * rest * (9 * n + 5 - z) + n + 1));
        double cube = Math.max(0, (81 * a * rest - 9 * n - 8 - 3 * NORMAL * root) / (81 * a * a - 9 * a * (2 + z) + 1));
        double ratio = a / rest;
        return 1 / (1 + ratio * ratio * cube * cube * cube);
    }

    /**
     * The gamma interval of a sum of weights. The truth may lack the largest weight that was seen, or have one more of the largest.
     *
     * @param seen the largest weight in the sum
     * @param largestWeight the largest weight that the sum may have missed
     */
    static Interval ofCount(double total, double variance, double seen, double largestWeight) {
        double lower = variance + seen * seen;
        double low = total == 0 ? 0 : lower / total * gamma(-NORMAL, total * total / lower);
        double higher = variance + largestWeight * largestWeight;
        double upper = total + largestWeight;
        return of(total, low, higher / upper * gamma(NORMAL, upper * upper / higher));
    }

    private static double gamma(double normal, double shape) {
        double root = Math.max(0, 1 - 1 / (9 * shape) + normal / (3 * Math.sqrt(shape)));
        return shape * root * root * root;
    }

    /** The part of an effective number of observations that is left if their variance has so few degrees of freedom. */
    static double certainty(double degrees) {
        if (Double.isInfinite(degrees)) {
            return USUAL_NORMAL * USUAL_NORMAL / (NORMAL * NORMAL);
        }
        double freedom = Math.max(1, degrees);
        double bound = NORMAL * (8 * freedom + 3) / (8 * freedom + 1);
        return USUAL_NORMAL * USUAL_NORMAL / (freedom * Math.expm1(bound * bound / freedom));
    }
}
