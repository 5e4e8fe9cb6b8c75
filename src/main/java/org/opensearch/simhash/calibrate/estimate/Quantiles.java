/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/**
 * Quantiles of the beta, gamma and Student's distribution. The incomplete beta function is a continued fraction (Lentz's method),
 * inverted by Newton's method between bounds. About 10 us each, relative error below 1e-6.
 */
final class Quantiles {

    private static final double[] LANCZOS = {
        76.18009172947146,
        -86.50532032941678,
        24.01409824083091,
        -1.231739572450155,
        0.1208650973866179e-2,
        -0.5395239384953e-5
    };

    private static final int MOST_TERMS = 2_000;
    private static final int MOST_STEPS = 200;
    private static final double TINY = 1e-300;
    private static final double PRECISION = 1e-12;
    private static final double ACCURACY = 1e-8;

    /** A gamma distribution is the limit of beta distributions; this is near enough. */
    private static final double LARGE = 1e8;

    private Quantiles() {}

    /** The quantile {@code p}; 0 if {@code a} is 0, 1 if {@code b} is 0. */
    static double beta(double p, double a, double b) {
        if (a <= 0) {
            return 0;
        }
        if (b <= 0) {
            return 1;
        }
        double scale = logGamma(a + b) - logGamma(a) - logGamma(b);
        double low = 0;
        double high = 1;
        double x = a / (a + b);
        for (int i = 0; i < MOST_STEPS; i++) {
            double error = distribution(x, a, b, scale) - p;
            if (error < 0) {
                low = x;
            } else {
                high = x;
            }
            // By the logarithm, because small quantiles have many zeros.
            double slope = Math.exp(scale + a * Math.log(x) + (b - 1) * Math.log1p(-x));
            double next = x * Math.exp(-error / slope);
            if (Math.abs(next - x) <= ACCURACY * x) {
                return Math.clamp(next, low, high);
            }
            x = next > low && next < high ? next : between(low, high);
        }
        return x;
    }

    private static double between(double low, double high) {
        return low == 0 ? high / 16 : high / low < 4 ? (low + high) / 2 : Math.sqrt(low) * Math.sqrt(high);
    }

    /** The quantile {@code p} for scale 1. */
    static double gamma(double p, double shape) {
        return shape <= 0 ? 0 : LARGE * beta(p, shape, LARGE);
    }

    /** @param p at least one half */
    static double student(double p, double degrees) {
        double freedom = Math.clamp(degrees, 1, LARGE);
        double x = beta(2 * p - 1, 0.5, freedom / 2);
        return Math.sqrt(freedom * x / (1 - x));
    }

    /** The cumulative beta distribution. */
    static double distribution(double x, double a, double b) {
        if (x <= 0) {
            return 0;
        }
        if (x >= 1) {
            return 1;
        }
        return distribution(x, a, b, logGamma(a + b) - logGamma(a) - logGamma(b));
    }

    private static double distribution(double x, double a, double b, double scale) {
        double front = Math.exp(scale + a * Math.log(x) + b * Math.log1p(-x));
        return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b;
    }

    private static double fraction(double x, double a, double b) {
        double c = 1;
        double d = 1 / away(1 - (a + b) * x / (a + 1));
        double value = d;
        for (int m = 1; m <= MOST_TERMS; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / away(1 + even * d);
            c = away(1 + even / c);
            value *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / away(1 + odd * d);
            c = away(1 + odd / c);
            value *= d * c;
            if (Math.abs(d * c - 1) < PRECISION) {
                break;
            }
        }
        return value;
    }

    private static double away(double value) {
        return Math.abs(value) < TINY ? TINY : value;
    }

    private static double logGamma(double x) {
        double series = 1.000000000190015;
        double y = x;
        for (double coefficient : LANCZOS) {
            series += coefficient / ++y;
        }
        double shifted = x + 5.5;
        return (x + 0.5) * Math.log(shifted) - shifted + Math.log(Math.sqrt(2 * Math.PI) * series / x);
    }
}
