/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.quality.DataSet.Document;
import org.opensearch.simhash.quality.DataSet.Kind;

/**
 * What {@code strip} changes where {@code check} finds a frame: of each set of documents with one, the recall of near pairs within
 * {@value Verified#MAX_DISTANCE} bits and the share of unrelated pairs there, without and with it. Pairs are near by their whole
 * texts. {@code target/java -Dsimhash.data=FOLDER org.opensearch.simhash.quality.FrameRecall}; half a minute.
 */
public final class FrameRecall {

    private static final int TEXTS = 100;

    private FrameRecall() {}

    public static void main(String[] args) throws IOException {
        Table table = new Table(
                "set", "frame", "near", "without: recall", "unrelated, of 10,000", "with strip: recall", "unrelated");
        try (NodeProcessors node = new NodeProcessors(Path.of("target"))) {
            for (DataSet set : new TextSets(DataSets.configured()).read()) {
                if (set.kind() != Kind.DOCUMENTS) {
                    continue;
                }
                List<String> texts = texts(set);
                Boilerplate frame = Boilerplate.frame(texts, bytes -> {});
                if (frame.isEmpty()) {
                    table.row(set.title(), "none", "", "", "", "", "");
                    continue;
                }
                Truth truth = Measured.truth(set, node);
                Evaluation without = Evaluation.of(truth, Fingerprints.of(set, node.create(Recipes.DEFAULT)));
                Evaluation with =
                        Evaluation.of(truth, Fingerprints.of(set, node.create(Map.of("strip", frame.digests()))));
                table.row(
                        set.title(),
                        frame.warning(texts).orElseThrow(),
                        without.near().total(),
                        Table.share(without.near().recall(Verified.MAX_DISTANCE)),
                        Table.perTenThousand(without.unrelated().wrongShare(Verified.MAX_DISTANCE)),
                        Table.share(with.near().recall(Verified.MAX_DISTANCE)),
                        Table.perTenThousand(with.unrelated().wrongShare(Verified.MAX_DISTANCE)));
            }
        }
        System.out.println(table);
    }

    private static List<String> texts(DataSet set) {
        List<Document> documents = new ArrayList<>(set.documents());
        Collections.shuffle(documents, new Random(0));
        return documents.stream()
                .limit(TEXTS)
                .map(document -> Normalizer.normalize(document.text(), Normalizer.Form.NFKC))
                .toList();
    }
}
