/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The pairs at one distance: the compared ones, and the estimated number in the index, each counted from both ends.
 *
 * @param weight of a unit of the weight of compared pairs
 * @param ends how often compared pairs were found, from either end
 */
record AtDistance(List<Sample.Pair> seen, double total, double weight, int ends) {

    static AtDistance of(Sample sample, double[] weights, int distance) {
        double total = 0;
        for (int i = 0; i < weights.length; i++) {
            total += weights[i] * sample.shares()[i][distance];
        }
        List<Sample.Pair> seen = sample.seen().stream()
                .filter(pair -> pair.distance() == distance)
                .toList();
        double all = 0;
        int ends = 0;
        for (Sample.Pair pair : seen) {
            all += pair.weight();
            ends += pair.ends();
        }
        return new AtDistance(seen, total, all == 0 ? 0 : total / all, ends);
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

    boolean isUnknown() {
        return total > 0 && seen.isEmpty();
    }

    double near() {
        return share(Sample.Pair::isNear);
    }

    /** The number of pairs that a pair stands for. All weights add up to the total: a ratio estimator. */
    double weight(Sample.Pair pair) {
        return weight * pair.weight();
    }
}
