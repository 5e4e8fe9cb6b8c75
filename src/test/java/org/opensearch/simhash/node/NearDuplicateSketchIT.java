/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Near-duplicates by sketches on one real node, most of them before any refresh: each of them, and nothing else. */
@RealNodes(1)
class NearDuplicateSketchIT {

    private static final int DOCUMENTS = 2_000;
    private static final int BULK = 250;

    private final RestClient client;
    private final PlantedDuplicates planted = new PlantedDuplicates(DOCUMENTS, 3);

    NearDuplicateSketchIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    private void send(String index, String action) {
        String pipeline = "{\"processors\":[{\"minhash\":{\"field\":\"content\"}},"
                + "{\"near_duplicate\":{\"sketch\":\"minhash\",\"action\":\"" + action + "\"}}]}";
        client.must("PUT", "/_ingest/pipeline/" + index, pipeline);
        var settings = Map.of("number_of_shards", 2, "refresh_interval", "30s", "default_pipeline", index);
        Object mappings = new SampleIndex().mappings();
        client.must("PUT", "/" + index, Json.write(Map.of("settings", settings, "mappings", mappings)));
        for (int from = 0; from < DOCUMENTS; from += BULK) {
            StringBuilder lines = new StringBuilder();
            for (int i = from; i < from + BULK; i++) {
                lines.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
                lines.append(Json.write(Map.of("content", planted.text(i)))).append('\n');
            }
            Answer answer =
                    client.must("POST", "/" + index + "/_bulk?filter_path=errors,items.*.error", lines.toString());
            assertEquals(false, answer.at("errors"), answer.toString());
            if (from == DOCUMENTS / 2) {
                client.must("POST", "/" + index + "/_refresh", null);
            }
        }
        client.must("POST", "/" + index + "/_refresh", null);
    }

    /** The document that a text was copied from, or itself. */
    private int root(int document) {
        int original = planted.original(document);
        return original < 0 ? document : root(original);
    }

    /** Ids of what is stored; each tag is true. */
    private List<Integer> stored(String index) {
        List<Integer> stored = new ArrayList<>();
        Answer hits = client.must("POST", "/" + index + "/_search", "{\"size\":10000,\"_source\":\"near_duplicate\"}");
        for (Object hit : (List<?>) hits.at("hits.hits")) {
            int document = Integer.parseInt((String) Json.at(hit, "_id"));
            stored.add(document);
            Map<?, ?> tag = (Map<?, ?>) ((Map<?, ?>) Json.at(hit, "_source")).get("near_duplicate");
            boolean isCopy = root(document) != document;
            assertEquals(isCopy, tag != null, "document " + document + " of " + index + ": " + tag);
            if (isCopy) {
                int original = Integer.parseInt((String) tag.get("id"));
                assertTrue(original < document, tag.toString());
                assertEquals(root(document), root(original), "document " + document + ": " + tag);
                double similarity = ((Number) tag.get("similarity")).doubleValue();
                assertTrue(similarity >= 0.8 && similarity <= 1, tag.toString());
            }
        }
        return stored;
    }

    private void remove(String index) {
        client.must("DELETE", "/" + index, null);
        client.must("DELETE", "/_ingest/pipeline/" + index, null);
    }

    @Test
    void testEveryCopyIsTagged() {
        send("sketch-tag", "tag");
        assertEquals(DOCUMENTS, stored("sketch-tag").size());
        remove("sketch-tag");
    }

    /** Copies of what came in the same bulk are tagged. */
    @Test
    void testNoOriginalIsDropped() {
        send("sketch-drop", "drop");
        List<Integer> stored = stored("sketch-drop");
        for (int i = 0; i < DOCUMENTS; i++) {
            assertTrue(root(i) != i || stored.contains(i), "document " + i + " is no copy");
        }
        assertTrue(stored.size() < DOCUMENTS * 0.95, stored.size() + " stored");
        remove("sketch-drop");
    }
}
