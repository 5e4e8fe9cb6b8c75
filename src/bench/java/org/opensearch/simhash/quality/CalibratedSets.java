/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * Calibrates each labelled data set on a real node, and prints how many of the pairs that the set lists with a similarity of 0.8 or
 * more are within the suggested distance, then what the job of the suggestion finds. Similarity is the one that the calibration compares by.
 * Arguments: how names of sets begin; all when there are none.
 */
public final class CalibratedSets {

    private static final String INDEX = "docs-set";
    private static final String POEMS = "load_poems_zh";
    private static final double NEAR = 0.8;
    private static final int BULK = 200;

    private final RestClient client;

    private CalibratedSets(RestClient client) {
        this.client = client;
    }

    public static void main(String[] args) {
        List<DataSet> sets = new TextSets(DataSets.configured()).read();
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "1g"))) {
            var calibrated = new CalibratedSets(cluster.client());
            new SampleIndex().configure(cluster.client());
            if (DataSets.configured().has(POEMS) && isAsked(POEMS, args)) {
                calibrated.print(allPoems());
            }
            for (DataSet set : sets) {
                if (set.name().equals(POEMS)) {
                    continue; // of which that has a part only
                }
                if (isAsked(set.name(), args)) {
                    calibrated.print(set);
                }
            }
        }
    }

    private static boolean isAsked(String name, String[] args) {
        return args.length == 0 || Arrays.stream(args).anyMatch(name::startsWith);
    }

    private static DataSet allPoems() {
        DataSetBuilder set = new DataSetBuilder(POEMS, "zh", DataSet.Kind.SHORT);
        for (Map<String, Object> line : DataSets.configured().read(POEMS, "docs.jsonl")) {
            String id = (String) line.get("doc_id");
            set.document(id, id, (String) line.get("text"));
        }
        return set.build();
    }

    private void print(DataSet set) {
        index(set);
        Answer answer = client.must("POST", "/_plugins/_simhash/calibrate/" + INDEX, "{\"examples\":0}");
        int distance = answer.at("suggestion.max_distance") instanceof Number number ? number.intValue() : -1;
        int near = 0;
        int found = 0;
        boolean byCharacters = "levenshtein".equals(answer.at("verify.measure"));
        long[] bits = bits(set);
        for (DataSet.Pair pair : set.pairs()) {
            if (similarity(set, pair, byCharacters) >= NEAR && bits[pair.a()] != 0 && bits[pair.b()] != 0) {
                near++;
                found += Long.bitCount(bits[pair.a()] ^ bits[pair.b()]) <= distance ? 1 : 0;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%-28s %6d documents, %6d ms: %2d bits, verify %-5s | expected recall %s precision %s pairs %s"
                        + " | listed near %d, found %d = %.4f%n    %s%n",
                set.title(),
                answer.number("documents"),
                answer.number("took"),
                distance,
                answer.at("suggestion.verify"),
                answer.at("suggestion.expected.recall"),
                answer.at("suggestion.expected.precision"),
                answer.at("suggestion.expected.pairs"),
                near,
                found,
                near == 0 ? Double.NaN : (double) found / near,
                answer.at("suggestion.why"));
        if (distance >= 0) {
            String[] next = answer.string("suggestion.next").split("\n", 2);
            Answer job = client.must("POST", next[0].substring("POST ".length()), next[1]);
            System.out.printf(
                    Locale.ROOT,
                    "    the job of it: %d ms, %d duplicates%n",
                    job.number("took"),
                    job.number("duplicates"));
        }
    }

    private static double similarity(DataSet set, DataSet.Pair pair, boolean byCharacters) {
        if (byCharacters == false) {
            return pair.jaccard();
        }
        String a = set.documents().get(pair.a()).text().strip();
        String b = set.documents().get(pair.b()).text().strip();
        return 1 - (double) edits(a, b) / Math.max(1, Math.max(a.length(), b.length()));
    }

    /** Levenshtein distance of short texts. */
    private static int edits(String a, String b) {
        int[] row = IntStream.rangeClosed(0, b.length()).toArray();
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    private void index(DataSet set) {
        client.send("DELETE", "/" + INDEX, null);
        List<DataSet.Document> documents = set.documents();
        for (int from = 0; from < documents.size(); from += BULK) {
            var bulk = new StringBuilder();
            for (int i = from; i < Math.min(documents.size(), from + BULK); i++) {
                bulk.append("{\"index\":{\"_id\":\"" + i + "\"}}\n");
                bulk.append(Json.write(Map.of("content", documents.get(i).text(), "lang", set.language())))
                        .append('\n');
            }
            client.must("POST", "/" + INDEX + "/_bulk?filter_path=errors", bulk.toString());
        }
        client.must("POST", "/" + INDEX + "/_refresh", null);
    }

    /** By number of the document; 0 where it has none. */
    private long[] bits(DataSet set) {
        long[] bits = new long[set.documents().size()];
        String after = "";
        while (true) {
            Answer page = client.must(
                    "POST",
                    "/" + INDEX + "/_search",
                    "{\"size\":5000,\"_source\":[\"simhash.hash\"],\"query\":{\"match_all\":{}},"
                            + "\"sort\":[{\"_id\":\"asc\"}]" + after + "}");
            List<Map<String, Object>> hits = page.hits();
            if (hits.isEmpty()) {
                return bits;
            }
            for (Map<String, Object> hit : hits) {
                if (Json.at(hit, "_source.simhash.hash") instanceof String hash) {
                    bits[Integer.parseInt((String) hit.get("_id"))] = HexFormat.fromHexDigitsToLong(hash);
                }
            }
            after = ",\"search_after\":[\"" + hits.getLast().get("_id") + "\"]";
        }
    }
}
