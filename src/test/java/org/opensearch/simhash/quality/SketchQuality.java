/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.quality.DataSet.Pair;

/**
 * Both sketches side by side on the labelled sets: {@code target/java -Dsimhash.data=FOLDER org.opensearch.simhash.quality.SketchQuality};
 * a minute.
 */
public final class SketchQuality {

    /** From which on the query looks at texts that are to have a similarity of 0.8. */
    private static final double BEFORE_VERIFY = 0.7;

    private SketchQuality() {}

    public static void main(String[] args) throws IOException {
        Table table = new Table(
                "set",
                "best F1 labels: simhash",
                "minhash",
                "at similarity",
                "MinHash of all bits",
                "recall of near: simhash within 11",
                "minhash from 0.7",
                "minhash from 0.8",
                "unrelated from 0.7, per 10,000");
        List<double[]> rows = new ArrayList<>();
        try (NodeProcessors node = new NodeProcessors(Path.of("target"))) {
            for (DataSet set : new TextSets(DataSets.configured()).read()) {
                if (set.pairs().isEmpty() == false) {
                    row(set, node, table, rows);
                }
            }
        }
        System.out.println(table);
        System.out.println("means: " + Arrays.toString(means(rows)) + " of " + rows.size() + " sets");
    }

    private static void row(DataSet set, NodeProcessors node, Table table, List<double[]> rows) {
        var standard = node.create(Recipes.DEFAULT);
        Truth truth = Measured.truth(set, node);
        Evaluation bits = Evaluation.of(truth, Fingerprints.of(set, standard));
        Sketches sketches = Sketches.of(set, standard.fingerprinter().sketching());
        Evaluation sketched = Evaluation.of(truth, sketches);
        var triples = node.create(Map.of("min_shingle_size", 3, "max_shingle_size", 3));
        Evaluation outside = Evaluation.of(truth, MinHashes.of(ShingleSets.of(set, triples.fingerprinter())));
        boolean isLabelled = bits.label().total() > 0;
        double[] row = {
            isLabelled ? bits.label().bestF1() : Double.NaN,
            isLabelled ? sketched.label().bestF1() : Double.NaN,
            isLabelled ? sketches.similarity(sketched.label().bestDistance()) : Double.NaN,
            isLabelled ? outside.label().bestF1() : Double.NaN,
            bits.near().recall(Verified.MAX_DISTANCE),
            found(truth, sketches, BEFORE_VERIFY),
            found(truth, sketches, Truth.NEAR),
            10_000 * sketched.unrelated().wrongShare(sketches.distance(BEFORE_VERIFY))
        };
        rows.add(row);
        table.row(set.title(), Arrays.stream(row).mapToObj(Table::share).toArray());
    }

    /** Share of the near pairs that have a band in common and an estimate that is enough. */
    private static double found(Truth truth, Sketches sketches, double similarity) {
        long near = 0;
        long found = 0;
        for (Pair pair : truth.listed()) {
            if (pair.jaccard() >= Truth.NEAR) {
                near++;
                boolean isFound = sketches.share(pair.a(), pair.b())
                        && sketches.of(pair.a(), pair.b()) <= sketches.distance(similarity);
                found += isFound ? 1 : 0;
            }
        }
        return near == 0 ? Double.NaN : found / (double) near;
    }

    private static double[] means(List<double[]> rows) {
        double[] means = new double[rows.getFirst().length];
        for (int i = 0; i < means.length; i++) {
            int column = i;
            means[i] = rows.stream()
                    .mapToDouble(row -> row[column])
                    .filter(figure -> Double.isNaN(figure) == false)
                    .average()
                    .orElse(Double.NaN);
        }
        return means;
    }
}
