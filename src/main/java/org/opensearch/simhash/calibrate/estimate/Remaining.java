/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.estimate;

import java.util.function.Predicate;

/**
 * What a job finds within a distance, with or without a similarity.
 *
 * @param duplicates documents that are not the survivor of their group
 */
public record Remaining(double pairs, double duplicates) {

    /**
     * A document with {@code n} links is a duplicate with the probability {@code n / (n + 1)}. That is exact for a group in which
     * all documents are linked, and about right for others (Caro, 1979; Wei, 1981).
     *
     * @param asked which of the compared pairs are links
     */
    static Remaining of(
            Sample sample, AtDistance[] distances, double[] weights, int distance, Predicate<SeenPair> asked) {
        double[] links = new double[weights.length];
        double pairs = 0;
        for (int e = 0; e <= distance; e++) {
            AtDistance at = distances[e];
            double share = at.share(asked);
            pairs += at.total() * share / 2;
            for (int i = 0; i < links.length; i++) {
                links[i] += share * sample.counts()[i][e];
            }
            for (SeenPair pair : at.seen()) {
                double known = (asked.test(pair) ? 1 : 0) - share;
                links[pair.first()] += known;
                if (pair.second() >= 0) {
                    links[pair.second()] += known;
                }
            }
        }
        double duplicates = 0;
        for (int i = 0; i < links.length; i++) {
            duplicates += weights[i] * duplicate(Math.max(0, links[i]));
        }
        return new Remaining(pairs, duplicates);
    }

    /** The probability for a number of links. A fraction is the chance of one more link. */
    private static double duplicate(double links) {
        double some = Math.floor(links);
        double known = some / (some + 1);
        double oneMore = (some + 1) / (some + 2);
        return known + (links - some) * (oneMore - known);
    }
}
