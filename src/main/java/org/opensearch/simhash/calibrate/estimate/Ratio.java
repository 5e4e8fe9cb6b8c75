/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.Arrays;
import java.util.function.Predicate;

/** A share of pairs in the making. Both its numerator and its denominator are estimates. */
final class Ratio {

    private final Sample sample;
    private final double[] weights;
    private double whole;
    private double part;
    private boolean isUnknown;

    /** What each drawn document adds to the error of the share. */
    private final double[] residuals;

    private double secondStage;
    private final double[] sizes;
    private double seen;
    private double seenSquares;
    private double ends;
    private double total;

    Ratio(Sample sample, double[] weights) {
        this.sample = sample;
        this.weights = weights;
        this.residuals = new double[weights.length];
        this.sizes = new double[weights.length];
    }

    void whole(double pairs) {
        whole += pairs;
    }

    void part(double pairs) {
        part += pairs;
    }

    double value() {
        return whole == 0 ? 0 : Math.clamp(part / whole, 0, 1);
    }

    /** @param counted which of the compared pairs belong to the whole */
    void observe(AtDistance pairs, Predicate<Sample.Pair> counted) {
        isUnknown |= pairs.isUnknown();
        total += pairs.total();
        ends += pairs.ends();
        for (Sample.Pair pair : pairs.seen()) {
            if (counted.test(pair)) {
                double weight = pairs.weight(pair);
                pair.spread(weight, sizes);
                seen += weight;
                seenSquares += weight * weight;
            }
        }
    }

    void vary(AtDistance pairs, double[] near, double factor) {
        for (int i = 0; i < residuals.length; i++) {
            residuals[i] += factor * near[i];
        }
        for (Sample.Pair pair : pairs.seen()) {
            double residual = factor * pairs.residual(pair);
            secondStage += sample.fraction(pair.first()) * (1 - pair.size() / pair.weight()) * residual * residual;
        }
    }

    void varyPairs(int distance, double factor) {
        for (int i = 0; i < residuals.length; i++) {
            residuals[i] += factor * weights[i] * sample.shares()[i][distance];
        }
    }

    Interval interval() {
        if (whole <= 0 || isUnknown) {
            return Interval.UNKNOWN;
        }
        double ratio = value();
        double hidden = 1 - ends / Math.max(total, ends);
        if (hidden < 1e-9) {
            return Interval.exactly(ratio);
        }
        Sample.Spread spread = sample.spread(residuals);
        double variance = (spread.variance() + secondStage) / (whole * whole);
        double unseen = sample.largestUnseen();
        double sum = Arrays.stream(sizes).sum();
        double squares = Arrays.stream(sizes).map(size -> size * size).sum();
        double observations = effective(sum, squares, unseen) / hidden;
        if (variance > 0 && ratio > 0 && ratio < 1) {
            observations = Math.min(
                    ratio * (1 - ratio) / variance * Interval.certainty(spread.degrees()),
                    effective(seen, seenSquares, unseen) / hidden);
        }
        return Interval.ofShare(ratio, observations);
    }

    /** The number of equal documents that these are worth, if the next one may be as large as {@code unseen}. */
    private static double effective(double sum, double squares, double unseen) {
        double next = sum + unseen;
        return next == 0 ? 0 : next * next / (squares + unseen * unseen) - (unseen == 0 ? 0 : 1);
    }
}
