/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * How well a job's groups agree with those of labelled data: each set is indexed on a real node and deduplicated, by default
 * options but for distance 10 and texts of a Jaccard similarity of 0.8. Prints the adjusted Rand index against the labels (which
 * call rewrites without a common word the same document, too), and against the pairs that are as similar by the data's own measure.
 */
public final class GroupQuality {

    private static final String INDEX = "docs-quality";
    private static final String GROUPS = "quality-groups";
    private static final int BULK = 200;

    private GroupQuality() {}

    public static void main(String[] args) {
        List<DataSet> sets = new TextSets(DataSets.configured()).read();
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            new SampleIndex().configure(cluster.client());
            Table table = new Table(
                    "set",
                    "documents",
                    "survivor: labels",
                    "survivor: similarity",
                    "chain: labels",
                    "chain: similarity");
            for (DataSet set : sets) {
                if (set.kind() == DataSet.Kind.DOCUMENTS && set.labelled()) {
                    index(cluster.client(), set);
                    List<?> bySurvivor = groups(cluster.client(), set, "survivor");
                    List<?> byChain = groups(cluster.client(), set, "chain");
                    List<?> labels = set.documents().stream()
                            .map(DataSet.Document::group)
                            .toList();
                    List<?> similar = similar(set);
                    table.row(
                            set.title(),
                            set.documents().size(),
                            Table.share(AdjustedRand.index(bySurvivor, labels)),
                            Table.share(AdjustedRand.index(bySurvivor, similar)),
                            Table.share(AdjustedRand.index(byChain, labels)),
                            Table.share(AdjustedRand.index(byChain, similar)));
                }
            }
            System.out.println(table);
        }
    }

    private static void index(RestClient client, DataSet set) {
        client.send("DELETE", "/" + INDEX, null);
        for (int from = 0; from < set.documents().size(); from += BULK) {
            var bulk = new StringBuilder();
            for (int i = from; i < Math.min(from + BULK, set.documents().size()); i++) {
                bulk.append("{\"index\":{\"_id\":\"" + i + "\"}}\n");
                bulk.append(Json.write(Map.of("content", set.documents().get(i).text())))
                        .append('\n');
            }
            Answer answer = client.must("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
            if ((boolean) answer.at("errors")) {
                throw new IllegalStateException("documents were refused: " + answer.text());
            }
        }
    }

    /** The survivor of each document; itself when it is in no group. */
    private static List<Integer> groups(RestClient client, DataSet set, String linkage) {
        client.send("DELETE", "/" + GROUPS, null);
        client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + INDEX,
                "{\"linkage\":\"" + linkage + "\",\"verify\":{\"field\":\"content\",\"min_similarity\":0.8},"
                        + "\"dest\":{\"index\":\"" + GROUPS + "\"}}");
        List<Integer> groups = alone(set);
        for (Map<String, Object> hit : client.must("POST", "/" + GROUPS + "/_search", "{\"size\":10000}")
                .hits()) {
            int survivor = Integer.parseInt((String) Json.at(hit, "_source.survivor.id"));
            for (Object member : (List<?>) Json.at(hit, "_source.members")) {
                groups.set(Integer.parseInt((String) Json.at(member, "id")), survivor);
            }
        }
        return groups;
    }

    private static List<Integer> alone(DataSet set) {
        List<Integer> alone = new ArrayList<>();
        for (int i = 0; i < set.documents().size(); i++) {
            alone.add(i);
        }
        return alone;
    }

    /** Documents connected by listed pairs of a similarity of 0.8 or more. */
    private static List<Integer> similar(DataSet set) {
        List<Integer> groups = alone(set);
        Map<Integer, Integer> roots = new HashMap<>();
        for (DataSet.Pair pair : set.pairs()) {
            if (pair.jaccard() >= Truth.NEAR) {
                int first = root(roots, pair.a());
                int second = root(roots, pair.b());
                if (first != second) {
                    roots.put(Math.max(first, second), Math.min(first, second));
                }
            }
        }
        groups.replaceAll(document -> root(roots, document));
        return groups;
    }

    private static int root(Map<Integer, Integer> roots, int document) {
        int root = document;
        while (roots.containsKey(root)) {
            root = roots.get(root);
        }
        return root;
    }
}
