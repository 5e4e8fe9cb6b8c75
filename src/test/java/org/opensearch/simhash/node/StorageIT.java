/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ways to store an index that docs/install.md lists: each works, or is refused with a sentence. */
@RealNodes(1)
class StorageIT {

    private static final String INDEX = "stored";
    private static final String TRAM =
            "The city council approved the new tram line on Monday. Construction between the central"
                    + " station and the university starts in March and takes three years. The line costs 240 million euros.";
    private static final String BREAD =
            "Bake the bread at 230 degrees for ten minutes, then turn the oven down and wait for"
                    + " half an hour more until the crust is brown and the kitchen smells of malt.";
    private static final String NEAR = "\"max_distance\":11";

    private final RestClient client;
    private final SampleIndex sample = new SampleIndex();

    StorageIT(RealCluster cluster) {
        client = cluster.client();
    }

    @BeforeEach
    void pipelines() {
        remove();
        client.must(
                "PUT",
                "/_ingest/pipeline/stored",
                "{\"processors\":[{\"simhash\":{\"field\":\"content\"}},{\"near_duplicate\":{" + NEAR
                        + ",\"action\":\"tag\"}}]}");
    }

    @AfterEach
    void remove() {
        client.send("DELETE", "/_data_stream/stored*", null);
        client.send("DELETE", "/stored*,removed-stored*", null);
        client.send("DELETE", "/_index_template/stored", null);
        client.send("DELETE", "/_ingest/pipeline/stored", null);
    }

    private void create(String settings, Map<String, Object> more) {
        Map<String, Object> mappings = map(sample.mappings());
        Map<String, Object> properties = map(mappings.get("properties"));
        properties.put("content", Map.of("type", "text", "store", true));
        properties.put("day", Map.of("type", "date"));
        properties.putAll(more);
        mappings.put("properties", properties);
        client.must(
                "PUT",
                "/" + INDEX,
                "{\"settings\":{\"number_of_replicas\":0,\"index.default_pipeline\":\"stored\"" + settings
                        + "},\"mappings\":" + Json.write(mappings) + "}");
    }

    private static Map<String, Object> map(Object json) {
        Map<String, Object> map = new HashMap<>();
        ((Map<?, ?>) json).forEach((name, value) -> map.put((String) name, value));
        return map;
    }

    private void fill(String operation, String target, String more) {
        List<String> texts = List.of(TRAM, TRAM.replace("240", "250"), BREAD);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < texts.size(); i++) {
            String id = operation.equals("index") ? "\"_id\":\"" + i + "\"" : "";
            lines.append("{\"" + operation + "\":{" + id + "}}\n{\"content\":\"" + texts.get(i)
                    + "\",\"@timestamp\":\"2026-01-01\"" + more + "}\n");
        }
        Answer bulk = client.must("POST", "/" + target + "/_bulk?refresh=true", lines.toString());
        assertEquals(false, bulk.at("errors"), bulk.text());
    }

    private void requireFound(String target) {
        String query = "{\"query\":{\"simhash\":{\"text\":\"" + TRAM + "\"," + NEAR
                + ",\"verify\":{\"field\":\"content\",\"min_similarity\":0.6}}}}";
        assertEquals(
                2, client.must("POST", "/" + target + "/_search", query).hits().size());
        Answer check = client.must("GET", "/_plugins/_simhash/check/" + target, null);
        assertEquals("ok", check.at("status"), check.text());
        Answer job = job(target, "{" + NEAR + "}");
        assertEquals(1, job.number("duplicates"), job.text());
    }

    private Answer job(String target, String body) {
        return client.send("POST", "/_plugins/_simhash/deduplicate/" + target, body);
    }

    /** Tags, deletes and restores. */
    private void requireCleaned(String target) {
        assertEquals(1, ok(job(target, "{" + NEAR + ",\"action\":\"tag\"}")).number("tagged"));
        Answer deleted =
                ok(job(target, "{" + NEAR + ",\"action\":\"delete\",\"archive\":{\"index\":\"removed-stored\"}}"));
        assertEquals(1, deleted.number("deleted"), deleted.text());
        client.must("POST", "/" + target + "/_refresh", null);
        assertEquals(2, client.must("GET", "/" + target + "/_count", null).number("count"));
        Answer restored = client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + target + "/restore",
                "{\"run\":\"" + deleted.string("run") + "\",\"archive\":{\"index\":\"removed-stored\"}}");
        assertEquals(1, restored.number("restored"), restored.text());
        client.must("POST", "/" + target + "/_refresh", null);
        requireFound(target);
    }

    private static Answer ok(Answer answer) {
        assertTrue(answer.ok(), answer.text());
        return answer;
    }

    private void requireTaggedAtIngest() {
        List<Object> tags = new ArrayList<>();
        client.must("GET", "/" + INDEX + "/_search", null)
                .hits()
                .forEach(hit -> tags.add(Json.at(hit, "_source.near_duplicate")));
        // Derived source shows an empty object where there is none.
        assertEquals(
                1,
                tags.stream()
                        .filter(tag -> tag instanceof Map<?, ?> fields && fields.isEmpty() == false)
                        .count(),
                tags.toString());
    }

    /** Each field needs doc values; the plugin's own mapping does without, to save room. */
    @Test
    void testDerivedSource() {
        String derived = ",\"index.derived_source.enabled\":true";
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> create(derived, Map.of()));
        assertTrue(refused.getMessage().contains("Unable to derive source for ["), refused.getMessage());
        Map<String, Object> keyword = Map.of("type", "keyword");
        Map<String, Object> fields = new HashMap<>();
        for (String name : List.of("hash", "digest", "scheme", "group", "duplicate_of")) {
            fields.put(name, keyword);
        }
        for (int i = 0; i < 4; i++) {
            fields.put("segment_" + i, keyword);
        }
        fields.put("bits", Map.of("type", "long", "index", false));
        fields.put("features", Map.of("type", "integer", "index", false));
        Map<String, Object> unused = Map.of("type", "object");
        create(derived, Map.of("simhash", Map.of("properties", fields), "minhash", unused, "passages", unused));
        fill("index", INDEX, "");
        requireTaggedAtIngest();
        requireFound(INDEX);
        requireCleaned(INDEX);
    }

    /** Values that a script makes when they are read: no document has them. */
    @Test
    void testDerivedFields() {
        create("", Map.of());
        client.must(
                "PUT",
                "/" + INDEX + "/_mapping",
                "{\"derived\":{\"made\":{\"type\":\"keyword\",\"script\":{\"source\":\"emit(params._source.content)\"}},"
                        + "\"print\":{\"type\":\"keyword\",\"script\":{\"source\":\"emit('ffff')\"}}}}");
        fill("index", INDEX, "");
        requireFound(INDEX);
        requireRefused(
                "[simhash] [field] must be the object that the [simhash] processor writes, but [print] is of type [derived]",
                client.send(
                        "POST",
                        "/" + INDEX + "/_search",
                        "{\"query\":{\"simhash\":{\"field\":\"print\",\"hash\":\"00000000000000ff\"}}}"));
        requireRefused(
                "[verify] must have a [field] that is kept in [_source] or stored, got: [made], which is neither in [stored]",
                client.send(
                        "POST",
                        "/" + INDEX + "/_search",
                        "{\"query\":{\"simhash\":{\"text\":\"" + TRAM + "\"," + NEAR
                                + ",\"verify\":{\"field\":\"made\",\"min_similarity\":0.6}}}}"));
        for (String condition : List.of("same", "differ")) {
            requireRefused(
                    "[" + condition
                            + "] must name fields with doc values of keywords, numbers, dates, booleans or addresses,"
                            + " but [made] is of type [derived]",
                    job(INDEX, "{" + NEAR + ",\"" + condition + "\":[\"made\"]}"));
        }
        requireRefused(
                "[field] of [verify] must hold a text, got: [made]",
                job(INDEX, "{" + NEAR + ",\"verify\":{\"field\":\"made\"}}"));
        requireRefused(
                "[field] must name a text field, got: made, which none of ",
                client.send("POST", "/_plugins/_simhash/setup/" + INDEX, "{\"field\":\"made\"}"));
        Answer check = client.must("GET", "/_plugins/_simhash/check/" + INDEX + "?field=print", null);
        assertEquals("mapping_missing", check.at("findings.0.code"), check.text());
    }

    private static void requireRefused(String reason, Answer answer) {
        assertEquals(400, answer.status(), answer.text());
        assertTrue(answer.text().contains(reason), answer.text());
    }

    @Test
    void testSegmentReplication() {
        create(",\"index.replication.type\":\"SEGMENT\"", Map.of());
        fill("index", INDEX, "");
        requireTaggedAtIngest();
        requireFound(INDEX);
        requireCleaned(INDEX);
    }

    @Test
    void testIndexSorting() {
        create(",\"index.sort.field\":\"day\",\"index.sort.order\":\"desc\"", Map.of());
        fill("index", INDEX, ",\"day\":\"2026-01-02\"");
        requireTaggedAtIngest();
        requireFound(INDEX);
        requireCleaned(INDEX);
    }

    @Test
    void testAppendOnly() {
        create(",\"index.append_only.enabled\":true", Map.of());
        fill("create", INDEX, "");
        requireTaggedAtIngest();
        requireFound(INDEX);
        for (String action : List.of("tag", "delete")) {
            String archive = action.equals("tag") ? "" : ",\"archive\":false";
            Answer refused = job(INDEX, "{" + NEAR + ",\"action\":\"" + action + "\"" + archive + "}");
            assertEquals(400, refused.status());
            assertEquals(
                    "[action] must be report where indices are append-only, got: " + action + " with [" + INDEX + "]",
                    refused.reason());
        }
    }

    @Test
    void testJoinFields() {
        create("", Map.of("relation", Map.of("type", "join", "relations", Map.of("page", "part"))));
        fill("index", INDEX, ",\"relation\":\"page\"");
        requireTaggedAtIngest();
        requireFound(INDEX);
        requireCleaned(INDEX);
    }

    @Test
    void testADataStreamWithRollover() {
        client.must(
                "PUT",
                "/_index_template/stored",
                "{\"index_patterns\":[\"stored-stream\"],\"data_stream\":{},\"priority\":500,\"template\":{\"settings\":"
                        + "{\"number_of_replicas\":0,\"index.default_pipeline\":\"stored\"},\"mappings\":"
                        + Json.write(map(sample.mappings())) + "}}");
        fill("create", "stored-stream", "");
        client.must("POST", "/stored-stream/_rollover", null);
        requireFound("stored-stream");
        fill("create", "stored-stream", "");
        Answer job = ok(job("stored-stream", "{" + NEAR + ",\"action\":\"tag\"}"));
        assertEquals(2, job.number("groups"), job.text());
        assertEquals(4, job.number("duplicates"), job.text());
    }
}
