/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import java.util.Arrays;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Numbers about the whole index, with intervals that hold the truth at least 95 of 100 times.
 *
 * <p>Two stages, as in Marchant and Rubinstein, "In Search of an Entity Resolution OASIS" (2017): pairs are drawn by strata of the distance
 * and weighted by the inverse of their probability. Shares are ratio estimators; their variance is that of the linear approximation, with
 * documents as clusters ({@link Sample}). Their interval is the exact one for the effective number of observations (Korn and Graubard,
 * 1998), with a width even if all or none of the pairs are near. That of a count is the gamma interval of Fay and Feuer (1997).
 *
 * <p>Takes a few milliseconds for 2,000 documents and 5,000 pairs. Not thread-safe.
 */
public final class Estimates {

    /** The number of distances in a trend. */
    private static final int TREND = 3;

    /** If this many are expected, none is seen once in twenty times. */
    private static final double SURE = 3;

    private final Sample sample;
    private final double[] weights;
    private final AtDistance[] distances;

    private final Interval[] recalls;

    public Estimates(Sample sample) {
        this.sample = sample;
        this.weights = sample.bands().weights();
        this.distances = new AtDistance[sample.distances()];
        Arrays.setAll(distances, distance -> AtDistance.of(sample, weights, distance));
        this.recalls = new Interval[distances.length];
        Arrays.setAll(recalls, this::ownRecall);
        tighten();
    }

    public Interval pairs(int distance) {
        double[] values = new double[weights.length];
        double seen = 0;
        double sum = 0;
        int some = 0;
        for (int i = 0; i < values.length; i++) {
            double count = sample.shares()[i][distance];
            values[i] = weights[i] * count / 2;
            seen = Math.max(seen, (1 - sample.fraction(i)) * values[i]);
            sum += count;
            some += count > 0 ? 1 : 0;
        }
        // An undrawn document may be as crowded as the drawn ones.
        double largestWeight = Math.max(seen, sample.largestUnseen() * (some == 0 ? 1 : sum / some) / 2);
        double total = distances[distance].total() / 2;
        if (largestWeight == 0) {
            return Interval.exactly(total);
        }
        // At least the variance of pairs found by chance alone.
        double variance = Math.max(sample.spread(values).variance(), Math.min(total, 1) * largestWeight);
        return Interval.ofCount(total, variance, seen, largestWeight);
    }

    public Interval near(int distance) {
        return precision(distance, distance);
    }

    public Interval precision(int distance) {
        return precision(0, distance);
    }

    private Interval precision(int from, int to) {
        return share(from, to, pair -> true, Sample.Pair::isNear);
    }

    /** Among the near pairs within the largest distance. It grows with the distance, and so do both ends. */
    public Interval recall(int distance) {
        return recalls[distance];
    }

    private Interval ownRecall(int distance) {
        return recall(pair -> pair.distance() <= distance);
    }

    /** Among the same pairs, of another way to find them. */
    public Interval recall(Predicate<Sample.Pair> found) {
        return share(0, maxDistance(), Sample.Pair::isNear, pair -> pair.isNear() && found.test(pair));
    }

    /** @param part which of the pairs of {@code whole} */
    private Interval share(int from, int to, Predicate<Sample.Pair> whole, Predicate<Sample.Pair> part) {
        Ratio ratio = new Ratio();
        for (int e = from; e <= to; e++) {
            ratio.observe(distances[e], whole, part);
        }
        double share = ratio.value();
        for (int e = from; e <= to; e++) {
            ratio.vary(distances[e], e, pair -> (part.test(pair) ? 1 : 0) - (whole.test(pair) ? share : 0));
        }
        return ratio.interval();
    }

    /** What a smaller distance finds for sure, a larger one finds, too. */
    private void tighten() {
        for (int e = 1; e < recalls.length && recalls[e].estimate() != null; e++) {
            Interval here = recalls[e];
            recalls[e] = Interval.of(here.estimate(), Math.max(here.low(), recalls[e - 1].low()), here.high());
        }
        for (int e = recalls.length - 2; e >= 0 && recalls[e].estimate() != null; e--) {
            Interval here = recalls[e];
            recalls[e] = Interval.of(here.estimate(), here.low(), Math.min(here.high(), recalls[e + 1].high()));
        }
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

    /** That a job finds within a distance, by a least similarity: 0 if texts are not compared. */
    public double pairsWithin(int distance, double minSimilarity) {
        double pairs = 0;
        for (int e = 0; e <= distance; e++) {
            pairs += distances[e].total() * distances[e].share(pair -> pair.similarity() >= minSimilarity) / 2;
        }
        return pairs;
    }

    public int maxDistance() {
        return distances.length - 1;
    }

    /** A share of pairs in the making. Both its numerator and its denominator are estimates. */
    private final class Ratio {

        private double whole;
        private double part;
        private boolean isUnknown;

        /** What each drawn document adds to the error of the share. */
        private final double[] residuals = new double[weights.length];

        private double secondStage;
        private final double[] sizes = new double[weights.length];
        private double seen;
        private double seenSquares;
        private double ends;
        private double total;

        double value() {
            return whole == 0 ? 0 : Math.clamp(part / whole, 0, 1);
        }

        /** @param counted which of the compared pairs belong to the whole */
        void observe(AtDistance pairs, Predicate<Sample.Pair> counted, Predicate<Sample.Pair> ofPart) {
            isUnknown |= pairs.isUnknown();
            whole += pairs.total() * pairs.share(counted);
            part += pairs.total() * pairs.share(ofPart);
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

        /** @param value what a pair adds to the error of the share */
        void vary(AtDistance pairs, int distance, ToDoubleFunction<Sample.Pair> value) {
            double mean = pairs.mean(value);
            for (int i = 0; i < residuals.length; i++) {
                residuals[i] += weights[i] * sample.shares()[i][distance] * mean;
            }
            for (Sample.Pair pair : pairs.seen()) {
                double residual = pairs.weight(pair) * (value.applyAsDouble(pair) - mean);
                pair.spread(residual, residuals);
                secondStage += sample.fraction(pair.first()) * (1 - pair.size() / pair.weight()) * residual * residual;
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
}
