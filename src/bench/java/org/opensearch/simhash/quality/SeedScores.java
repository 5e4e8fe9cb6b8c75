/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.opensearch.simhash.core.fingerprint.Weights;

/**
 * Scores the default recipe by the seeds of its hash from 0 on, each on all data sets; then other weights of features, by the mean
 * of the same seeds. What {@link org.opensearch.simhash.core.fingerprint.HashFunction#SEED} and the weights were chosen by.
 *
 * <p>{@code target/java -Dsimhash.data=FOLDER org.opensearch.simhash.quality.SeedScores 64 [weights]}; half a minute, with
 * {@code weights} some minutes more.
 */
public final class SeedScores {

    private SeedScores() {}

    public static void main(String[] arguments) throws IOException {
        int seeds = arguments.length == 0 ? Draws.SEEDS : Integer.parseInt(arguments[0]);
        try (NodeProcessors node = new NodeProcessors(Path.of("target"))) {
            DrawnSets sets = DrawnSets.read(new TextSets(DataSets.configured()), node);
            System.out.println(Draws.of(sets, seeds).bySeed());
            if (List.of(arguments).contains("weights")) {
                System.out.println(weights(sets, seeds));
            }
        }
    }

    private static Table weights(DrawnSets sets, int seeds) {
        Table table = DrawScore.table("weights");
        candidates().forEach((name, weights) -> {
            List<List<Evaluation>> draws = LongStream.range(0, seeds)
                    .mapToObj(seed -> sets.evaluate(seed, weights))
                    .toList();
            DrawScore.of(sets.sets(), draws).addTo(table, name);
            DrawScore.half(0, sets.sets(), draws).addTo(table, "– one half of the sets");
            DrawScore.half(1, sets.sets(), draws).addTo(table, "– the other half");
        });
        return table;
    }

    private static Map<String, Weights> candidates() {
        Map<String, Weights> all = new LinkedHashMap<>();
        all.put("as they are", Weights.DEFAULT);
        all.put("words 1, runs of letters 1", Weights.ofKinds(1, 1, 0.4));
        all.put("words 0.9, runs of letters 1", Weights.ofKinds(0.9, 1, 0.4));
        all.put("words 0.9, runs of letters 0.75", Weights.ofKinds(0.9, 0.75, 0.4));
        all.put("words 0.8, runs of letters 0.6", Weights.ofKinds(0.8, 0.6, 0.4));
        all.put("words 0.6, runs of letters 0.6", Weights.ofKinds(0.6, 0.6, 0.4));
        all.put("words 1 but 0.6 of up to three letters, runs of letters 1", Weights.ofKinds(1, 1, 0.4).shortWords(3, 0.6));
        all.put("words 1, runs of letters 1, 1 + 0.75 ln(count)", Weights.ofKinds(1, 1, 0.4).slope(0.75));
        all.put("words 1, runs of letters 1, 1 + 0.5 ln(count)", Weights.ofKinds(1, 1, 0.4).slope(0.5));
        all.put("words 1, runs of letters 1, at most 1 + ln(4)", Weights.ofKinds(1, 1, 0.4).atMost(4));
        return all;
    }
}
