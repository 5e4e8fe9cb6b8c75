/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Compares all documents with the drawn ones, counts pairs by distance and chooses some pairs at each distance. A distance is a step of
 * {@link Nearness}. One thread.
 */
public final class Surroundings {

    private final Draw draw;
    private final DensityTable densities;
    private final double[] weights;
    private final Nearness nearness;
    private final long seed;
    private final double[][] shares;
    private final PairChoice[] choices;
    private final Map<Long, Integer> numbers = new HashMap<>();
    private final DrawnValues values;

    /** Chooses at most so many pairs of a distance among those around documents that were drawn by these densities. */
    public Surroundings(Draw draw, DensityTable densities, Nearness nearness, int pairs, long seed) {
        this.draw = draw;
        this.densities = densities;
        this.weights = draw.bands().weights();
        this.nearness = nearness;
        int maxDistance = nearness.last();
        this.seed = seed;
        int size = draw.documents().size();
        this.shares = new double[size][maxDistance + 1];
        this.choices = new PairChoice[maxDistance + 1];
        Arrays.setAll(choices, distance -> new PairChoice(pairs));
        this.values = new DrawnValues(draw.documents(), nearness);
        for (int i = 0; i < size; i++) {
            numbers.put(draw.documents().get(i).address(), i);
        }
    }

    /** In bytes of heap, with the results. */
    public static long bytes(Draw draw, int maxDistance, int pairs) {
        long values = draw.documents().stream()
                .mapToLong(document -> document.bits().length)
                .sum();
        return (long) draw.documents().size() * (200 + (maxDistance + 1) * 2 * Double.BYTES)
                + values * Long.BYTES
                + (long) pairs * (maxDistance + 1) * 200;
    }

    public void add(Document document) {
        int meetings = values.meet(document);
        if (meetings == 0) {
            return;
        }
        double weight = draw.weightOfDensity()[densities.band(document)];
        for (int k = 0; k < meetings; k++) {
            int i = values.met(k);
            int distance = values.distance(i);
            if (draw.documents().get(i).address() != document.address()) {
                // A document that stands for few is seen for sure, one that stands for many only by chance: the first
                // counts more.
                double share = 2 * weight / (weights[i] + weight);
                shares[i][distance] += share;
                choose(i, document.address(), distance, weights[i] * share);
            }
        }
    }

    private void choose(int first, long other, int distance, double size) {
        Integer second = numbers.get(other);
        if (second != null && second < first) {
            return; // chosen from the other end, or not at all
        }
        long chance =
                Document.hash(Document.hash(seed, draw.documents().get(first).address()), other);
        choices[distance].add(first, second == null ? -1 : second, other, second == null ? size : 2 * size, chance);
    }

    /** Pairs by drawn document and distance. Both shares of a pair add up to 2. */
    public double[][] shares() {
        return shares;
    }

    public long compared() {
        return values.comparisons();
    }

    public List<FoundPair> pairs() {
        List<FoundPair> pairs = new ArrayList<>();
        for (int distance = 0; distance <= nearness.last(); distance++) {
            pairs.addAll(choices[distance].chosen(distance));
        }
        return pairs;
    }

    /**
     * Chooses some pairs of one distance in one pass, larger ones more often: priority sampling (Duffield, Lund, Thorup, "Priority
     * Sampling for Estimation of Arbitrary Subset Sums", 2007). If there are no more pairs than wanted, it takes all. One thread.
     */
    static final class PairChoice {

        private static final Comparator<Ranked> ORDER = Comparator.comparingDouble(Ranked::rank)
                .thenComparingInt(Ranked::first)
                .thenComparingLong(Ranked::other);

        private final int size;
        private final PriorityQueue<Ranked> kept = new PriorityQueue<>(ORDER.reversed());
        /** The smallest rank that is not kept. */
        private double threshold = Double.POSITIVE_INFINITY;

        private record Ranked(double rank, int first, int second, long other, double size) {}

        PairChoice(int size) {
            this.size = size;
        }

        /** @param chance uniform over all numbers */
        void add(int first, int second, long other, double pairSize, long chance) {
            double rank = ((chance >>> 11) + 1) * 0x1.0p-53 / pairSize;
            if (rank >= threshold) {
                return;
            }
            kept.add(new Ranked(rank, first, second, other, pairSize));
            if (kept.size() > size) {
                threshold = kept.poll().rank;
            }
        }

        List<FoundPair> chosen(int distance) {
            Ranked[] sorted = kept.toArray(Ranked[]::new);
            Arrays.sort(sorted, ORDER);
            List<FoundPair> pairs = new ArrayList<>();
            for (Ranked pair : sorted) {
                double weight = Math.max(pair.size, 1 / threshold);
                pairs.add(new FoundPair(pair.first, pair.second, pair.other, distance, pair.size, weight));
            }
            return pairs;
        }
    }

    /**
     * A pair that was chosen among those at its distance.
     *
     * @param second number of the other document if it was drawn, too; else -1
     * @param size documents that the drawn ends stand for
     * @param weight the size, times the pairs that were not chosen
     */
    public record FoundPair(int first, int second, long other, int distance, double size, double weight) {}
}
