/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Chooses some pairs of one distance in one pass, larger ones more often: priority sampling (Duffield, Lund, Thorup, "Priority
 * Sampling for Estimation of Arbitrary Subset Sums", 2007). If there are no more pairs than wanted, it takes all. One thread.
 */
final class PairChoice {

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
