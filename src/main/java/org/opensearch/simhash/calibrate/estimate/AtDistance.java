/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** The pairs at one distance. Each pair of the index counts twice, once from each end. */
final class AtDistance {

    private final List<SeenPair> seen = new ArrayList<>();
    /** Pairs of the index, as the drawn documents show them. */
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
        double close = 0;
        int found = 0;
        for (SeenPair pair : sample.seen()) {
            if (pair.distance() == distance) {
                seen.add(pair);
                all += pair.weight();
                close += pair.isNear() ? pair.weight() : 0;
                found += pair.ends();
            }
        }
        ends = found;
        weight = all == 0 ? 0 : total / all;
        near = all == 0 ? 0 : close / all;
    }

    /** The share of some pairs among those that were compared; 0 where none was. */
    double share(Predicate<SeenPair> some) {
        double all = 0;
        double part = 0;
        for (SeenPair pair : seen) {
            all += pair.weight();
            part += some.test(pair) ? pair.weight() : 0;
        }
        return all == 0 ? 0 : part / all;
    }

    /** Similarities that shares of the pairs are below, 0 to 1; null where none was compared. */
    double[] similarities(double... shares) {
        if (seen.isEmpty()) {
            return null;
        }
        List<SeenPair> sorted = new ArrayList<>(seen);
        sorted.sort(Comparator.comparingDouble(SeenPair::similarity));
        double all = seen.stream().mapToDouble(SeenPair::weight).sum();
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

    List<SeenPair> seen() {
        return seen;
    }

    double total() {
        return total;
    }

    /** Whether there are pairs of which none was compared. */
    boolean isUnknown() {
        return total > 0 && seen.isEmpty();
    }

    /** Share of near ones among those that were compared. */
    double near() {
        return near;
    }

    /** How many of the pairs were compared. */
    int ends() {
        return ends;
    }

    /** What a pair stands for, so that all of them stand for the total: a ratio estimator. */
    double weight(SeenPair pair) {
        return weight * pair.weight();
    }

    /** By how much a pair is nearer than the others, times what it stands for. */
    double residual(SeenPair pair) {
        return weight(pair) * ((pair.isNear() ? 1 : 0) - near);
    }
}
