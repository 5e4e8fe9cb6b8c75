/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.opensearch.simhash.node.Answer;

/** Times and exactness of one kind of search. Not safe for use by several threads. */
final class Measured {

    /** Up to here a node counts the matches by default. */
    private static final int COUNTED = 10_000;

    /** Hits that a node returns by default. */
    private static final int PAGE = 10;

    private final List<Double> took = new ArrayList<>();
    private final List<Double> wall = new ArrayList<>();
    private long expected;
    private long found;
    private int wrong;

    void add(Answer answer, double wallMillis) {
        took.add((double) answer.number("took"));
        wall.add(wallMillis);
    }

    /** Compares an answer with the truth: {@code distances} counts all documents by their distance. */
    void check(Answer answer, Corpus corpus, long query, int distance, int[] distances) {
        List<Integer> hits =
                answer.ids().stream().map(id -> corpus.distance(id, query)).toList();
        wrong += (int) hits.stream().filter(hit -> hit > distance).count();
        if (answer.at("hits.total") == null) {
            checkNearest(hits, distance, distances);
        } else {
            checkTotal(answer.number("hits.total.value"), distance, distances);
        }
    }

    private void checkTotal(long total, int distance, int[] distances) {
        int near = Arrays.stream(distances, 0, distance + 1).sum();
        expected += Math.min(near, COUNTED);
        found += Math.min(total, COUNTED);
        wrong += (int) Math.max(0, total - near);
    }

    /** Where nothing is counted, the hits are the nearest there are, nearest first. */
    private void checkNearest(List<Integer> hits, int distance, int[] distances) {
        int rank = 0;
        for (int d = 0; d <= distance; d++) {
            for (int i = 0; i < distances[d] && rank < PAGE; i++) {
                found += rank < hits.size() && hits.get(rank) == d ? 1 : 0;
                expected++;
                rank++;
            }
        }
    }

    /** For searches that have no truth to be compared with: counts their matches. */
    void found(Answer answer) {
        found += answer.number("hits.total.value");
    }

    double meanFound() {
        return (double) found / searches();
    }

    double tookP50() {
        return percentile(took, 0.5);
    }

    double tookP95() {
        return percentile(took, 0.95);
    }

    /** Finer than the median: a node tells whole milliseconds. */
    double tookMean() {
        return took.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    double wallP50() {
        return percentile(wall, 0.5);
    }

    double wallP95() {
        return percentile(wall, 0.95);
    }

    int searches() {
        return took.size();
    }

    double recall() {
        return expected == 0 ? 1 : (double) found / expected;
    }

    int wrong() {
        return wrong;
    }

    boolean exact() {
        return found == expected && wrong == 0;
    }

    static double percentile(List<Double> values, double share) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)];
    }

    /** Cell of a table: took p50, p95 and mean, wall p50, recall. */
    String cell() {
        return String.format(
                Locale.ROOT,
                "%.0f, %.0f, %.1f; %.1f; %s",
                tookP50(),
                tookP95(),
                tookMean(),
                wallP50(),
                expected == 0 ? "-" : String.format(Locale.ROOT, "%.4f", recall()));
    }
}
