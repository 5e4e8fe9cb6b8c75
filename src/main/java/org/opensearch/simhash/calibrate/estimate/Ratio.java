/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.Arrays;
import java.util.function.Predicate;

/** A share of pairs in the making. Both its numerator and its denominator are estimates. */
final class Ratio {

    private static final double TAIL = 0.0125;

    private static final double NORMAL = 1.959964;

    private final Clusters clusters;
    private final double[] weights;
    private final double[][] shares;
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

    Ratio(Sample sample, Clusters clusters, double[] weights) {
        this.clusters = clusters;
        this.weights = weights;
        this.shares = sample.shares();
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
    void observe(AtDistance pairs, Predicate<SeenPair> counted) {
        isUnknown |= pairs.isUnknown();
        total += pairs.total();
        ends += pairs.ends();
        for (SeenPair pair : pairs.seen()) {
            if (counted.test(pair)) {
                double weight = pairs.weight(pair);
                double first = 1.0 / pair.ends();
                sizes[pair.first()] += weight * first;
                if (pair.second() >= 0) {
                    sizes[pair.second()] += weight * first;
                }
                seen += weight;
                seenSquares += weight * weight;
            }
        }
    }

    void vary(AtDistance pairs, int distance, double[][] near, double factor) {
        for (int i = 0; i < residuals.length; i++) {
            residuals[i] += factor * near[i][distance];
        }
        for (SeenPair pair : pairs.seen()) {
            double residual = factor * pairs.residual(pair);
            secondStage += clusters.fraction(pair.first()) * (1 - pair.size() / pair.weight()) * residual * residual;
        }
    }

    void varyPairs(int distance, double factor) {
        for (int i = 0; i < residuals.length; i++) {
            residuals[i] += factor * weights[i] * shares[i][distance];
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
        Clusters.Spread spread = clusters.spread(residuals);
        double variance = (spread.variance() + secondStage) / (whole * whole);
        double unseen = clusters.largestUnseen();
        double sum = Arrays.stream(sizes).sum();
        double squares = Arrays.stream(sizes).map(size -> size * size).sum();
        double n = Clusters.effective(sum, squares, unseen) / hidden;
        if (variance > 0 && ratio > 0 && ratio < 1) {
            double t = NORMAL / Quantiles.student(1 - TAIL, spread.degrees());
            n = Math.min(
                    ratio * (1 - ratio) / variance * t * t, Clusters.effective(seen, seenSquares, unseen) / hidden);
        }
        return Interval.of(
                ratio,
                Quantiles.beta(TAIL, n * ratio, n * (1 - ratio) + 1),
                Quantiles.beta(1 - TAIL, n * ratio + 1, n * (1 - ratio)));
    }
}
