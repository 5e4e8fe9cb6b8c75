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
 * Both sketches side by side on the labelled sets: a section of the quality report, and {@code target/java -Dsimhash.data=FOLDER
 * org.opensearch.simhash.quality.SketchQuality}; two minutes.
 */
public final class SketchQuality {

    /** From which on the query looks at texts that are to have a similarity of 0.8. */
    private static final double BEFORE_VERIFY = 0.69;

    private final NodeProcessors node;
    private final List<double[]> rows = new ArrayList<>();
    private final Table table = new Table(
            "set",
            "best F1 by labels: `simhash`",
            "`minhash`",
            "from the estimate",
            "MinHash of all bits",
            "recall of near: `simhash` within 11",
            "`minhash` from 0.69",
            "of these by own words",
            "`minhash` from 0.8",
            "unrelated from 0.69, per 10,000");

    private SketchQuality(NodeProcessors node) {
        this.node = node;
    }

    public static void main(String[] args) throws IOException {
        try (NodeProcessors node = new NodeProcessors(Path.of("target"))) {
            System.out.println(report(new TextSets(DataSets.configured()).read(), node));
        }
    }

    /** Set by set, the means, and what both cost. */
    static String report(List<DataSet> sets, NodeProcessors node) throws IOException {
        SketchQuality quality = new SketchQuality(node);
        for (DataSet set : sets) {
            if (set.pairs().isEmpty() == false) {
                quality.add(set);
            }
        }
        quality.row("mean", means(quality.rows));
        return "Near is a similarity of 0.8 and more by the words of the set. Of these by own words: recall of the pairs that are near"
                + " by the words of the plugin, too, by which `verify` measures.\n\n"
                + quality.table
                + "\n"
                + SketchCost.table(sets, node);
    }

    private void add(DataSet set) {
        var standard = node.create(Recipes.DEFAULT);
        Truth truth = Measured.truth(set, node);
        Evaluation bits = Evaluation.of(truth, Fingerprints.of(set, standard));
        Sketches sketches = Sketches.of(set, standard.fingerprinter().sketching());
        Evaluation sketched = Evaluation.of(truth, sketches);
        var triples = node.create(Map.of("min_shingle_size", 3, "max_shingle_size", 3));
        ShingleSets own = ShingleSets.of(set, triples.fingerprinter());
        Evaluation outside = Evaluation.of(truth, MinHashes.of(own));
        boolean isLabelled = bits.label().total() > 0;
        double[] row = {
            isLabelled ? bits.label().bestF1() : Double.NaN,
            isLabelled ? sketched.label().bestF1() : Double.NaN,
            isLabelled ? sketches.similarity(sketched.label().bestDistance()) : Double.NaN,
            isLabelled ? outside.label().bestF1() : Double.NaN,
            bits.near().recall(Verified.MAX_DISTANCE),
            found(truth, sketches, BEFORE_VERIFY, null),
            found(truth, sketches, BEFORE_VERIFY, own),
            found(truth, sketches, Truth.NEAR, null),
            10_000 * sketched.unrelated().wrongShare(sketches.distance(BEFORE_VERIFY))
        };
        rows.add(row);
        row(set.title(), row);
    }

    private void row(String title, double[] figures) {
        table.row(title, Arrays.stream(figures).mapToObj(Table::share).toArray());
    }

    /**
     * Share of the near pairs that have a band in common and an estimate that is enough.
     *
     * @param own shingles by which a pair must be near, too; null for no such rule
     */
    private static double found(Truth truth, Sketches sketches, double similarity, ShingleSets own) {
        long near = 0;
        long found = 0;
        for (Pair pair : truth.listed()) {
            if (pair.jaccard() >= Truth.NEAR && (own == null || own.jaccard(pair.a(), pair.b()) >= Truth.NEAR)) {
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
