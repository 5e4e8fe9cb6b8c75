/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.simhash.quality.DataSet.Kind;

/**
 * What {@code language_detection} costs or gains: of each set of documents, the recall of near pairs within
 * {@value Verified#MAX_DISTANCE} bits and the share of unrelated pairs there, without detection and with it. A set where
 * detection finds fewer pairs is marked. {@code target/java -Dsimhash.data=FOLDER
 * org.opensearch.simhash.quality.DetectionRecall}; a minute.
 */
public final class DetectionRecall {

    private static final Map<String, Object> DETECTING = Map.of("language_detection", true);
    /** The language with an analyzer of its own. */
    private static final String ANALYSED = "zh";

    /** Sums of the recalls of some sets. */
    private static final class Mean {

        private int sets;
        private int below;
        private double without;
        private double with;

        void add(Row row) {
            sets++;
            below += row.isBelow() ? 1 : 0;
            without += row.without.near().recall(Verified.MAX_DISTANCE);
            with += row.with.near().recall(Verified.MAX_DISTANCE);
        }

        void print(Table table, String title) {
            table.row(title + ", " + sets + " sets", "", recall(without / sets), "", recall(with / sets), "", below);
        }
    }

    private record Row(Evaluation without, Evaluation with) {

        boolean isBelow() {
            return with.near().recall(Verified.MAX_DISTANCE) < without.near().recall(Verified.MAX_DISTANCE);
        }
    }

    private DetectionRecall() {}

    public static void main(String[] args) throws IOException {
        Table table = new Table(
                "set", "near", "without: recall", "unrelated, of 10,000", "with detection: recall", "unrelated", "below");
        Mean all = new Mean();
        Mean ofWords = new Mean();
        try (NodeProcessors node = new NodeProcessors(Path.of("target"))) {
            for (DataSet set : new TextSets(DataSets.configured()).read()) {
                if (set.kind() == Kind.DOCUMENTS) {
                    Row row = row(set, node);
                    table.row(
                            set.title(),
                            row.without.near().total(),
                            recall(row.without.near().recall(Verified.MAX_DISTANCE)),
                            unrelated(row.without),
                            recall(row.with.near().recall(Verified.MAX_DISTANCE)),
                            unrelated(row.with),
                            row.isBelow() ? "below" : "");
                    all.add(row);
                    if (set.language().startsWith(ANALYSED) == false) {
                        ofWords.add(row);
                    }
                }
            }
        }
        all.print(table, "mean of all");
        ofWords.print(table, "mean without " + ANALYSED);
        System.out.println(table);
    }

    private static Row row(DataSet set, NodeProcessors node) {
        Truth truth = Measured.truth(set, node);
        return new Row(
                Evaluation.of(truth, Fingerprints.of(set, node.create(Recipes.DEFAULT))),
                Evaluation.of(truth, Fingerprints.of(set, node.create(DETECTING))));
    }

    private static String unrelated(Evaluation evaluation) {
        return Table.perTenThousand(evaluation.unrelated().wrongShare(Verified.MAX_DISTANCE));
    }

    /** Four decimals: the means differ by a thousandth. */
    private static String recall(double recall) {
        return String.format(Locale.ROOT, "%.4f", recall);
    }
}
