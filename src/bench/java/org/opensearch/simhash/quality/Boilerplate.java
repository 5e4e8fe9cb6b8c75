/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.desk.inspect.SharedFeatures;

/** What {@code feature_weights} gain, as the plugin proposes them for the documents of a set. */
final class Boilerplate {

    /** What the API proposes by when it is not told. */
    private static final double DEFAULT_SHARE = 0.2;

    private static final List<Double> MAX_DOCUMENT_SHARES = List.of(DEFAULT_SHARE, 0.1, 0.05);
    private static final int DISTANCE = Verified.MAX_DISTANCE;

    private Boilerplate() {}

    static String table(NodeProcessors node, List<Measured> sets) {
        Table table = new Table(
                "set",
                "max_document_share",
                "features damped",
                "recall of near at 11",
                "unrelated within 11, per 10,000",
                "with boilerplate (similarity below 0.5)",
                "best F1 near",
                "best F1 labels");
        for (Measured set : sets) {
            row(table, set, "–", 0, set.byDefault());
            for (double share : MAX_DOCUMENT_SHARES) {
                Map<String, Double> weights = weights(node, set.set(), share);
                Fingerprints damped = fingerprints(node, set.set(), weights);
                row(table, set, Double.toString(share), weights.size(), Evaluation.of(set.truth(), damped));
            }
        }
        return table.toString();
    }

    private static void row(Table table, Measured set, String share, int features, Evaluation result) {
        table.row(
                set.set().title(),
                share,
                features,
                Table.share(result.near().recall(DISTANCE)),
                Table.perTenThousand(result.unrelated().wrongShare(DISTANCE)),
                Table.perTenThousand(result.dissimilar().wrongShare(DISTANCE)),
                Table.share(result.near().bestF1()),
                result.label().total() == 0 ? "–" : Table.share(result.label().bestF1()));
    }

    /** Of the default recipe with the weights that the API proposes for the documents of the set, unless told otherwise. */
    static Fingerprints damped(NodeProcessors node, DataSet set) {
        return fingerprints(node, set, weights(node, set, DEFAULT_SHARE));
    }

    private static Fingerprints fingerprints(NodeProcessors node, DataSet set, Map<String, Double> weights) {
        return Fingerprints.of(set, node.create(Map.of("feature_weights", weights)));
    }

    /** The proposal for all documents of the set. */
    private static Map<String, Double> weights(NodeProcessors node, DataSet set, double maxShare) {
        Fingerprinter fingerprinter = node.create(Recipes.DEFAULT).fingerprinter();
        Map<String, Double> weights = new HashMap<>();
        try (var shared = new SharedFeatures(maxShare, bytes -> {})) {
            for (DataSet.Document document : set.documents()) {
                shared.add(fingerprinter, SourceTexts.of(document.text(), set.language()));
            }
            shared.propose().forEach(feature -> weights.put(feature.feature(), feature.factor()));
        }
        return weights;
    }
}
