/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.opensearch.simhash.ingest.SimHashProcessor;
import org.opensearch.simhash.quality.Bar.Figure;

/**
 * The default recipe with other seeds of its hash, as {@link OtherLetters} give them: how far the figures of a set go up and
 * down by chance, and what to expect of other texts.
 */
final class Draws {

    static final int SEEDS = 8;

    private final List<Measured> sets;
    /** By set, one for each seed. */
    private final List<List<Evaluation>> evaluations;

    private Draws(List<Measured> sets, List<List<Evaluation>> evaluations) {
        this.sets = sets;
        this.evaluations = evaluations;
    }

    static Draws of(List<Measured> sets, NodeProcessors node) {
        SimHashProcessor processor = node.create(Recipes.DEFAULT);
        return new Draws(
                sets, sets.stream().map(set -> evaluate(set, processor)).toList());
    }

    private static List<Evaluation> evaluate(Measured set, SimHashProcessor processor) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed ->
                        Evaluation.of(set.truth(), Fingerprints.of(set.set().with(new OtherLetters(seed)), processor)))
                .toList();
    }

    /** Of near pairs within a distance, of each set the mean over the seeds. */
    List<Figure> recall(int distance) {
        return means(evaluation -> evaluation.near().recall(distance));
    }

    /** The share of unrelated pairs within a distance, of each set the mean over the seeds. */
    List<Figure> unrelated(int distance) {
        return means(evaluation -> evaluation.unrelated().wrongShare(distance));
    }

    private List<Figure> means(ToDoubleFunction<Evaluation> figure) {
        List<Figure> means = new ArrayList<>();
        for (int i = 0; i < sets.size(); i++) {
            means.add(new Figure(sets.get(i).set().title(), mean(figures(evaluations.get(i), figure))));
        }
        return means;
    }

    /** Ours beside the others, one line a set. */
    String table() {
        Table table = new Table(
                "set",
                "near pairs",
                "recall at 10: ours",
                "mean",
                "at 11: ours",
                "least",
                "mean",
                "at 12: ours",
                "mean",
                "unrelated within 11, per 10,000: ours",
                "mean",
                "most");
        for (int i = 0; i < sets.size(); i++) {
            Evaluation ours = sets.get(i).byDefault();
            List<Evaluation> others = evaluations.get(i);
            double[] unrelated = figures(others, draw -> draw.unrelated().wrongShare(Verified.MAX_DISTANCE));
            double[] recall = recalls(others, Verified.MAX_DISTANCE);
            table.row(
                    sets.get(i).set().title(),
                    ours.near().total(),
                    Table.share(ours.near().recall(10)),
                    Table.share(mean(recalls(others, 10))),
                    Table.share(ours.near().recall(Verified.MAX_DISTANCE)),
                    Table.share(Arrays.stream(recall).min().orElse(Double.NaN)),
                    Table.share(mean(recall)),
                    Table.share(ours.near().recall(Measured.FURTHER)),
                    Table.share(mean(recalls(others, Measured.FURTHER))),
                    Table.perTenThousand(ours.unrelated().wrongShare(Verified.MAX_DISTANCE)),
                    Table.perTenThousand(mean(unrelated)),
                    Table.perTenThousand(Arrays.stream(unrelated).max().orElse(Double.NaN)));
        }
        return table.toString();
    }

    private static double[] recalls(List<Evaluation> draws, int distance) {
        return figures(draws, draw -> draw.near().recall(distance));
    }

    private static double[] figures(List<Evaluation> draws, ToDoubleFunction<Evaluation> figure) {
        return draws.stream().mapToDouble(figure).toArray();
    }

    private static double mean(double[] figures) {
        return Arrays.stream(figures).average().orElse(Double.NaN);
    }
}
