/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Chooses some of the pairs of one distance while all of them pass by, the larger ones more often, and says what each stands for:
 * priority sampling of Duffield, Lund, Thorup, "Priority Sampling for Estimation of Arbitrary Subset Sums" (2007). When there are
 * no more pairs than are wanted, each stands for itself. One thread.
 */
final class PairChoice {

    private static final Comparator<Ranked> ORDER = Comparator.comparingDouble(Ranked::rank)
            .thenComparingInt(Ranked::first)
            .thenComparingLong(Ranked::other);

    private final int size;
    private final PriorityQueue<Ranked> kept = new PriorityQueue<>(ORDER.reversed());
    /** What is not kept has this rank or a larger one. */
    private double threshold = Double.POSITIVE_INFINITY;

    private record Ranked(double rank, int first, int second, long other, double size) {}

    PairChoice(int size) {
        this.size = size;
    }

    /** @param chance evenly distributed over all numbers */
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
