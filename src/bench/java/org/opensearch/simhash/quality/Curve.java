/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

/**
 * Recall, precision and F1 of "near when at most so far apart", for every distance: from the numbers of right pairs (to be
 * found) and of wrong ones (not to be found) at each distance.
 */
final class Curve {

    private final long[] right;
    private final long[] wrong;

    /** @param largestDistance at which a pair can be found; those at a larger one never are */
    Curve(int largestDistance) {
        right = new long[largestDistance + 2];
        wrong = new long[largestDistance + 2];
    }

    /** Counts pairs at a distance, which are to be found when right, and otherwise not to be found. */
    void count(boolean isRight, int distance, long pairs) {
        (isRight ? right : wrong)[distance] += pairs;
    }

    /** Number of pairs to be found. */
    long total() {
        return sum(right, Integer.MAX_VALUE);
    }

    /** Pairs to be found at exactly a distance. */
    long rightAt(int distance) {
        return right[distance];
    }

    /** Pairs not to be found at exactly a distance. */
    long wrongAt(int distance) {
        return wrong[distance];
    }

    long rightWithin(int distance) {
        return sum(right, distance);
    }

    long wrongWithin(int distance) {
        return sum(wrong, distance);
    }

    /** The share of the wrong pairs that are within a distance; 0 when there are none. */
    double wrongShare(int distance) {
        long all = wrongWithin(Integer.MAX_VALUE);
        return all == 0 ? 0 : wrongWithin(distance) / (double) all;
    }

    /** 1 when there is nothing to find. */
    double recall(int distance) {
        return total() == 0 ? 1 : rightWithin(distance) / (double) total();
    }

    /** 1 when nothing is found. */
    double precision(int distance) {
        long found = rightWithin(distance) + wrongWithin(distance);
        return found == 0 ? 1 : rightWithin(distance) / (double) found;
    }

    double f1(int distance) {
        double found = rightWithin(distance);
        return found == 0 ? 0 : 2 * found / (found + wrongWithin(distance) + total());
    }

    /** The smallest distance of the highest F1. */
    int bestDistance() {
        int best = 0;
        for (int distance = 1; distance < right.length - 1; distance++) {
            if (f1(distance) > f1(best)) {
                best = distance;
            }
        }
        return best;
    }

    double bestF1() {
        return f1(bestDistance());
    }

    /** Takes the pairs of another curve, of as many distances, into this one. */
    void add(Curve other) {
        for (int i = 0; i < right.length; i++) {
            right[i] += other.right[i];
            wrong[i] += other.wrong[i];
        }
    }

    private static long sum(long[] counts, int last) {
        long sum = 0;
        for (int i = 0; i <= last && i < counts.length; i++) {
            sum += counts[i];
        }
        return sum;
    }
}
