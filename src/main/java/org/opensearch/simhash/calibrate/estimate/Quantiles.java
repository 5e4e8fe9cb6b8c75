/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/**
 * Quantiles of the beta and the gamma distribution, from which intervals of shares and of counts are made. The incomplete beta
 * function is a continued fraction (Lentz's method); it is inverted by bisection. About 100 us each, relative error below 1e-6.
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
    private static final int BISECTIONS = 80;
    private static final double TINY = 1e-300;
    private static final double PRECISION = 1e-13;

    /** A gamma distribution is the limit of beta distributions, this large. */
    private static final double LARGE = 1e8;

    private Quantiles() {}

    /** The value below which a share {@code p} of a beta distribution is; 0 when {@code a} is 0, 1 when {@code b} is 0. */
    static double beta(double p, double a, double b) {
        if (a <= 0) {
            return 0;
        }
        if (b <= 0) {
            return 1;
        }
        double low = 0;
        double high = 1;
        // Small shares have many zeros: the middle of their logarithms is taken there.
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = low == 0 || high / low < 4 ? (low + high) / 2 : Math.sqrt(low * high);
            if (i < 40 && low == 0) {
                middle = high / 16;
            }
            if (distribution(middle, a, b) < p) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** The value below which a share {@code p} of a gamma distribution of scale 1 is. */
    static double gamma(double p, double shape) {
        return shape <= 0 ? 0 : LARGE * beta(p, shape, LARGE);
    }

    /** The value below which a share {@code p}, at least one half, of Student's distribution is. */
    static double student(double p, double degrees) {
        double freedom = Math.clamp(degrees, 1, LARGE);
        double x = beta(2 * p - 1, 0.5, freedom / 2);
        return Math.sqrt(freedom * x / (1 - x));
    }

    /** The part of a beta distribution that is below {@code x}. */
    static double distribution(double x, double a, double b) {
        if (x <= 0) {
            return 0;
        }
        if (x >= 1) {
            return 1;
        }
        double front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
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
