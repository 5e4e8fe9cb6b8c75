/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.opensearch.simhash.search.ingest.TextProcessor;

/** Other recipes than the default one on the same sets: what the defaults were chosen by. */
final class Study {

    private static final int DISTANCE = Verified.MAX_DISTANCE;

    private final NodeProcessors node;
    private final List<Measured> sets;
    /** By recipe, in the order of the sets. */
    private final Map<String, List<Evaluation>> evaluations = new LinkedHashMap<>();

    Study(NodeProcessors node, List<Measured> sets) {
        this.node = node;
        this.sets = sets;
        Recipes.candidates().forEach((name, options) -> evaluations.put(name, evaluate(options)));
        evaluations.put("mixed", sets.stream().map(Measured::mixed).toList());
        evaluations.put("feature_weights", sets.stream().map(Measured::damped).toList());
    }

    private List<Evaluation> evaluate(Map<String, ?> options) {
        TextProcessor processor = node.create(options);
        return sets.stream()
                .map(set -> Evaluation.of(set.truth(), Fingerprints.of(set.set(), processor)))
                .toList();
    }

    /** The means over the sets. */
    String summary() {
        Table table = new Table(
                "recipe",
                "recall at 11, mean",
                "worst set",
                "unrelated within 11, per 10,000, mean",
                "worst set",
                "best F1 near, mean",
                "best F1 labels, mean");
        evaluations.forEach((name, results) -> {
            double[] recalls = figures(results, result -> result.near().recall(DISTANCE));
            double[] random = figures(results, result -> result.unrelated().wrongShare(DISTANCE));
            table.row(
                    name,
                    Table.share(mean(recalls)),
                    Table.share(Arrays.stream(recalls).min().orElse(Double.NaN)),
                    Table.perTenThousand(mean(random)),
                    Table.perTenThousand(Arrays.stream(random).max().orElse(Double.NaN)),
                    Table.share(mean(figures(results, result -> result.near().bestF1()))),
                    Table.share(mean(results.stream()
                            .filter(result -> result.label().total() > 0)
                            .mapToDouble(result -> result.label().bestF1())
                            .toArray())));
        });
        return table.toString();
    }

    private static double[] figures(List<Evaluation> results, ToDoubleFunction<Evaluation> figure) {
        return results.stream().mapToDouble(figure).toArray();
    }

    private static double mean(double[] figures) {
        return Arrays.stream(figures).average().orElse(Double.NaN);
    }
}
