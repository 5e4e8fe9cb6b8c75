/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.function.Predicate;

/**
 * What would be found within a distance, with a similarity that is asked for or without.
 *
 * @param pairs of documents
 * @param duplicates documents that are not the survivor of their group
 */
public record Remaining(double pairs, double duplicates) {

    /**
     * A document with {@code n} neighbours is a duplicate with a probability of {@code n / (n + 1)}: so many of a group of documents
     * that are all near to each other, and about so many of others (Caro, 1979; Wei, 1981).
     *
     * @param asked which of the compared pairs are found
     */
    static Remaining of(
            Sample sample, AtDistance[] distances, double[] weights, int distance, Predicate<SeenPair> asked) {
        double[] neighbours = new double[weights.length];
        double pairs = 0;
        for (int e = 0; e <= distance; e++) {
            AtDistance at = distances[e];
            double share = at.share(asked);
            pairs += at.total() * share / 2;
            for (int i = 0; i < neighbours.length; i++) {
                neighbours[i] += share * sample.counts()[i][e];
            }
            for (SeenPair pair : at.seen()) {
                double known = (asked.test(pair) ? 1 : 0) - share;
                neighbours[pair.first()] += known;
                if (pair.second() >= 0) {
                    neighbours[pair.second()] += known;
                }
            }
        }
        double duplicates = 0;
        for (int i = 0; i < neighbours.length; i++) {
            duplicates += weights[i] * duplicate(Math.max(0, neighbours[i]));
        }
        return new Remaining(pairs, duplicates);
    }

    /** The probability of a document with so many neighbours. Part of one is a chance of one: half of that is a duplicate. */
    private static double duplicate(double neighbours) {
        double some = Math.floor(neighbours);
        double known = some / (some + 1);
        double oneMore = (some + 1) / (some + 2);
        return known + (neighbours - some) * (oneMore - known);
    }
}
