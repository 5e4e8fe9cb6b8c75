/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.quality.DataSet.Kind;

/**
 * Texts of few features, cut from the beginnings of the documents of all sets: how often texts that are not alike come near
 * one another, by their number of features. What {@code min_features} was chosen by.
 *
 * <p>Not alike: less than half of the features in common. Features, because texts so short have hardly any word 3-shingle.
 */
final class FewFeatures {

    private static final int[] FROM = {1, 2, 4, 8, 12, 16, 24, 32, 64};
    private static final int[] CHARACTERS = {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
    private static final int DOCUMENTS = 120;
    private static final Map<String, Object> ANY_LENGTH = Map.of("min_features", 1);

    private FewFeatures() {}

    static String table(NodeProcessors node, List<Measured> sets) {
        long[][] counts = new long[FROM.length][5];
        for (Measured set : sets) {
            if (set.set().kind() != Kind.LOAD) {
                count(beginnings(set.set()), node, counts);
            }
        }
        Table table = new Table(
                "features of the shorter text",
                "pairs not alike",
                "within 3, per 10,000",
                "within 6",
                "within 11",
                "pairs alike (half of the features and more)");
        for (int i = 0; i < FROM.length; i++) {
            double all = Math.max(1, counts[i][0]);
            table.row(
                    i + 1 < FROM.length ? FROM[i] + "–" + (FROM[i + 1] - 1) : FROM[i] + "–",
                    counts[i][0],
                    Table.perTenThousand(counts[i][1] / all),
                    Table.perTenThousand(counts[i][2] / all),
                    Table.perTenThousand(counts[i][3] / all),
                    counts[i][4]);
        }
        return table.toString();
    }

    private static DataSet beginnings(DataSet set) {
        List<DataSet.Document> documents = new ArrayList<>();
        int step = Math.max(1, set.documents().size() / DOCUMENTS);
        for (int i = 0; i < set.documents().size(); i += step) {
            DataSet.Document document = set.documents().get(i);
            for (int characters : CHARACTERS) {
                if (characters
                        < document.text().codePointCount(0, document.text().length())) {
                    String text = document.text().substring(0, document.text().offsetByCodePoints(0, characters));
                    documents.add(new DataSet.Document(document.id() + characters, document.group(), text));
                }
            }
        }
        return new DataSet(set.name(), set.language(), set.kind(), documents, List.of());
    }

    private static void count(DataSet set, NodeProcessors node, long[][] counts) {
        var processor = node.create(ANY_LENGTH);
        Fingerprints fingerprints = Fingerprints.of(set, processor);
        ShingleSets features = ShingleSets.of(set, processor.fingerprinter());
        for (int b = 0; b < fingerprints.size(); b++) {
            for (int a = 0; a < b; a++) {
                int least = Math.min(fingerprints.features(a), fingerprints.features(b));
                boolean others = set.documents()
                                .get(a)
                                .group()
                                .equals(set.documents().get(b).group())
                        == false;
                if (others && least > 0) {
                    add(counts[bin(least)], fingerprints.of(a, b), features.jaccard(a, b));
                }
            }
        }
    }

    private static void add(long[] counts, int distance, double jaccard) {
        if (jaccard >= Truth.ALIKE) {
            counts[4]++;
            return;
        }
        counts[0]++;
        counts[1] += distance <= 3 ? 1 : 0;
        counts[2] += distance <= 6 ? 1 : 0;
        counts[3] += distance <= Verified.MAX_DISTANCE ? 1 : 0;
    }

    private static int bin(int features) {
        int bin = 0;
        while (bin + 1 < FROM.length && features >= FROM[bin + 1]) {
            bin++;
        }
        return bin;
    }
}
