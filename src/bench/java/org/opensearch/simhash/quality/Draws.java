/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.Weights;

/**
 * The default recipe by other seeds of its hash: how far the figures of a set go up and down by chance, and what to expect of
 * other texts.
 */
final class Draws {

    static final int SEEDS = 64;

    private final List<DataSet> sets;
    /** In the order of the sets. */
    private final List<Evaluation> ours;
    /** By seed, from 0 on. */
    private final List<List<Evaluation>> evaluations;

    private Draws(List<DataSet> sets, List<Evaluation> ours, List<List<Evaluation>> evaluations) {
        this.sets = sets;
        this.ours = ours;
        this.evaluations = evaluations;
    }

    static Draws of(DrawnSets sets, int seeds) {
        return new Draws(
                sets.sets(),
                sets.ours(),
                LongStream.range(0, seeds)
                        .mapToObj(seed -> sets.evaluate(seed, Weights.DEFAULT))
                        .toList());
    }

    /** What the mean of all seeds keeps. */
    List<Bar> bars() {
        return DrawScore.of(sets, evaluations).bars("mean of " + evaluations.size() + " seeds");
    }

    /** Each seed and the mean of all, a line each. */
    String bySeed() {
        Table table = DrawScore.table("seed");
        for (int seed = 0; seed < evaluations.size(); seed++) {
            boolean isOurs = seed == HashFunction.SEED;
            score(evaluations.get(seed)).addTo(table, isOurs ? "**" + seed + "**" : String.valueOf(seed));
        }
        score(ours).addTo(table, "ours, " + HashFunction.SEED);
        DrawScore.of(sets, evaluations).addTo(table, "mean of all");
        return table + "\nSeeds that keep all bars: " + keeping(draw -> score(draw).keepsAll()) + ".\nOn one half of the sets: "
                + keeping(draw -> DrawScore.half(0, sets, List.of(draw)).keepsAll()) + ".\nOn the other half: "
                + keeping(draw -> DrawScore.half(1, sets, List.of(draw)).keepsAll()) + ".\n\n";
    }

    private String keeping(Predicate<List<Evaluation>> bars) {
        String seeds = String.join(
                ", ",
                IntStream.range(0, evaluations.size())
                        .filter(seed -> bars.test(evaluations.get(seed)))
                        .mapToObj(String::valueOf)
                        .toList());
        return seeds.isEmpty() ? "none" : seeds;
    }

    private DrawScore score(List<Evaluation> draw) {
        return DrawScore.of(sets, List.of(draw));
    }

    /** How far the figures of a set go up and down, one line a set. */
    String bySet() {
        Table table = new Table(
                "set", "recall at 11: mean", "least", "unrelated within 11, per 10,000: mean", "most");
        for (int i = 0; i < sets.size(); i++) {
            double[] unrelated = figures(i, draw -> draw.unrelated().wrongShare(Verified.MAX_DISTANCE));
            double[] recall = figures(i, draw -> draw.near().recall(Verified.MAX_DISTANCE));
            table.row(
                    sets.get(i).title(),
                    Table.share(mean(recall)),
                    Table.share(Arrays.stream(recall).min().orElse(Double.NaN)),
                    Table.perTenThousand(mean(unrelated)),
                    Table.perTenThousand(Arrays.stream(unrelated).max().orElse(Double.NaN)));
        }
        return table.toString();
    }

    private double[] figures(int set, ToDoubleFunction<Evaluation> figure) {
        return evaluations.stream()
                .mapToDouble(draw -> figure.applyAsDouble(draw.get(set)))
                .toArray();
    }

    private static double mean(double[] figures) {
        return Arrays.stream(figures).average().orElse(Double.NaN);
    }
}
