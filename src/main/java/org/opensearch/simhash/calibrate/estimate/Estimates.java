/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

/**
 * Numbers about the whole index, with intervals that hold the truth at least 95 of 100 times.
 *
 * <p>Two stages, as in Marchant and Rubinstein, "In Search of an Entity Resolution OASIS: Optimal Asymptotic Sequential
 * Importance Sampling" (2017): pairs are drawn by strata of the distance and weighted by the inverse of their probability. Shares
 * are ratio estimators. Their variance is that of the linear approximation, with documents as clusters ({@link Clusters}). The
 * interval of a share is the exact one for the effective number of observations (Korn and Graubard, "Confidence Intervals for
 * Proportions with Small Expected Number of Positive Counts", 1998). It has a width even if all or none of the pairs are near.
 * The interval of a count is the gamma interval of Fay and Feuer, "Confidence intervals for directly standardized rates" (1997).
 *
 * <p>Takes a few milliseconds for 2,000 documents and 5,000 pairs. Not thread-safe.
 */
public final class Estimates {

    /** The number of distances in a trend. */
    private static final int TREND = 3;

    /** If this many are expected, none is seen once in twenty times. */
    private static final double SURE = 3;

    private final Sample sample;
    private final Clusters clusters;
    private final double[] weights;
    private final AtDistance[] distances;

    /** By drawn document and distance: near pairs times the weight of the document. */
    private final double[][] near;

    public Estimates(Sample sample) {
        this.sample = sample;
        this.clusters = new Clusters(sample);
        this.weights = sample.bands().weights();
        this.distances = new AtDistance[sample.distances()];
        this.near = new double[sample.drawn()][distances.length];
        for (int distance = 0; distance < distances.length; distance++) {
            distances[distance] = new AtDistance(sample, weights, distance);
            for (int i = 0; i < near.length; i++) {
                near[i][distance] = weights[i] * sample.shares()[i][distance] * distances[distance].near();
            }
            for (SeenPair pair : distances[distance].seen()) {
                double residual = distances[distance].residual(pair);
                double first = 1.0 / pair.ends();
                near[pair.first()][distance] += residual * first;
                if (pair.second() >= 0) {
                    near[pair.second()][distance] += residual * first;
                }
            }
        }
    }

    public Interval pairs(int distance) {
        double[] values = new double[weights.length];
        double most = 0;
        double sum = 0;
        int some = 0;
        for (int i = 0; i < values.length; i++) {
            double count = sample.shares()[i][distance];
            values[i] = weights[i] * count / 2;
            most = Math.max(most, (1 - clusters.fraction(i)) * values[i]);
            sum += count;
            some += count > 0 ? 1 : 0;
        }
        // An undrawn document may be as crowded as the drawn ones.
        most = Math.max(most, clusters.largestUnseen() * (some == 0 ? 1 : sum / some) / 2);
        double total = distances[distance].total() / 2;
        return most == 0 ? Interval.exactly(total) : Counts.interval(total, clusters.spread(values), most);
    }

    public Interval near(int distance) {
        return precision(distance, distance);
    }

    public Interval precision(int distance) {
        return precision(0, distance);
    }

    private Interval precision(int from, int to) {
        Ratio ratio = new Ratio(sample, clusters, weights);
        for (int e = from; e <= to; e++) {
            ratio.whole(distances[e].total());
            ratio.part(distances[e].total() * distances[e].near());
            ratio.observe(distances[e], pair -> true);
        }
        for (int e = from; e <= to; e++) {
            ratio.vary(distances[e], e, near, 1);
            ratio.varyPairs(e, -ratio.value());
        }
        return ratio.interval();
    }

    /** Among the near pairs within the largest distance. */
    public Interval recall(int distance) {
        Ratio ratio = new Ratio(sample, clusters, weights);
        for (int e = 0; e < distances.length; e++) {
            double pairs = distances[e].total() * distances[e].near();
            ratio.whole(pairs);
            ratio.part(e <= distance ? pairs : 0);
            ratio.observe(distances[e], SeenPair::isNear);
        }
        for (int e = 0; e < distances.length; e++) {
            ratio.vary(distances[e], e, near, (e <= distance ? 1 : 0) - ratio.value());
        }
        return ratio.interval();
    }

    /**
     * The share of near pairs that may exist beyond the last distance where one was seen. Assumes as many per distance as at the
     * last ones, where that many are likely to be missed. 0 if none was seen.
     */
    public double hidden() {
        int last = distances.length - 1;
        while (last >= 0 && distances[last].near() == 0) {
            last--;
        }
        if (last < 0) {
            return 0;
        }
        int from = Math.max(0, last + 1 - TREND);
        double trend = 0;
        double near = 0;
        for (int e = 0; e <= last; e++) {
            double here = distances[e].total() * distances[e].near();
            near += here;
            trend += e >= from ? here / (last + 1 - from) : 0;
        }
        double hidden = 0;
        for (int e = last + 1; e < distances.length; e++) {
            double total = distances[e].total();
            double expected = total == 0 ? SURE : distances[e].seen().size() * trend / total;
            hidden += expected < SURE && total > distances[e].ends() ? Math.min(trend, total) : 0;
        }
        return hidden / (near + hidden);
    }

    /** The 10th, 50th and 90th percentile; null if no pair was compared. */
    public double[] similarities(int distance) {
        return distances[distance].similarities(0.1, 0.5, 0.9);
    }

    /** Without comparing texts. */
    public Remaining within(int distance) {
        return Remaining.of(sample, distances, weights, distance, pair -> true);
    }

    /** With texts compared. */
    public Remaining within(int distance, double minSimilarity) {
        return Remaining.of(sample, distances, weights, distance, pair -> pair.similarity() >= minSimilarity);
    }

    public int maxDistance() {
        return distances.length - 1;
    }
}
