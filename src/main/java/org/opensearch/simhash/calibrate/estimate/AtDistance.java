/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The pairs at one distance. Each pair of the index counts twice, once from each end. */
final class AtDistance {

    private final List<Sample.Pair> seen = new ArrayList<>();
    /** The estimated number of pairs in the index. */
    private final double total;

    private final double weight;
    private final double near;
    private final int ends;

    AtDistance(Sample sample, double[] weights, int distance) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * sample.shares()[i][distance];
        }
        total = sum;
        double all = 0;
        int found = 0;
        for (Sample.Pair pair : sample.seen()) {
            if (pair.distance() == distance) {
                seen.add(pair);
                all += pair.weight();
                found += pair.ends();
            }
        }
        ends = found;
        weight = all == 0 ? 0 : total / all;
        near = share(Sample.Pair::isNear);
    }

    /** The share of some pairs among the compared ones; 0 if there are none. */
    double share(Predicate<Sample.Pair> some) {
        return mean(pair -> some.test(pair) ? 1 : 0);
    }

    /** Of the compared pairs, each with its weight; 0 if there are none. */
    double mean(ToDoubleFunction<Sample.Pair> value) {
        double all = 0;
        double sum = 0;
        for (Sample.Pair pair : seen) {
            all += pair.weight();
            sum += pair.weight() * value.applyAsDouble(pair);
        }
        return all == 0 ? 0 : sum / all;
    }

    /** Quantiles of the similarity, 0 to 1; null if no pair was compared. */
    double[] similarities(double... shares) {
        if (seen.isEmpty()) {
            return null;
        }
        List<Sample.Pair> sorted = new ArrayList<>(seen);
        sorted.sort(Comparator.comparingDouble(Sample.Pair::similarity));
        double all = seen.stream().mapToDouble(Sample.Pair::weight).sum();
        double[] found = new double[shares.length];
        for (int i = 0; i < shares.length; i++) {
            double below = 0;
            int at = 0;
            while (at < sorted.size() - 1 && below + sorted.get(at).weight() < shares[i] * all) {
                below += sorted.get(at++).weight();
            }
            found[i] = sorted.get(at).similarity();
        }
        return found;
    }

    List<Sample.Pair> seen() {
        return seen;
    }

    double total() {
        return total;
    }

    boolean isUnknown() {
        return total > 0 && seen.isEmpty();
    }

    double near() {
        return near;
    }

    /** How often compared pairs were found, from either end. */
    int ends() {
        return ends;
    }

    /** The number of pairs that a pair stands for. All weights add up to the total: a ratio estimator. */
    double weight(Sample.Pair pair) {
        return weight * pair.weight();
    }
}
