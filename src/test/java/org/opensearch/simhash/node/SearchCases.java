/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What a user does with near-duplicate search, on the sample corpus with the installed configuration. What has to be found
 * is worked out from the stored fingerprints, one by one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SearchCases {

    private static final String INDEX = "docs-search";
    private static final String LIKED = "en.guides.deploy.vercel.v9";

    private final RestClient client;
    private final String settings;
    private final SampleIndex sample = new SampleIndex();
    private Map<String, Fingerprint> stored;

    SearchCases(RealCluster cluster, int shards, int replicas) {
        this.client = cluster.client(0);
        this.settings =
                Json.write(Map.of("settings", Map.of("number_of_shards", shards, "number_of_replicas", replicas)));
    }

    @BeforeAll
    void index() {
        sample.configure(client);
        client.must("PUT", "/" + INDEX, settings);
        sample.fill(client, INDEX, indexed -> {});
        stored = Fingerprint.stored(client, INDEX);
        assertEquals(sample.documents().keySet(), stored.keySet());
    }

    @AfterAll
    void remove() {
        client.must("DELETE", "/docs-*,plain*", null);
        sample.remove(client);
    }

    @Test
    void testTemplateMapsTheFieldsOfTheContract() {
        Answer mapping = client.get("/" + INDEX + "/_mapping");
        Object fields = Json.at(mapping.json().get(INDEX), "mappings.properties.simhash.properties");
        var terms = Map.of("type", "keyword", "doc_values", false, "norms", true);
        Map<String, Object> expected = new TreeMap<>();
        expected.put("hash", terms);
        expected.put("digest", terms);
        for (String whole : List.of("scheme", "group", "duplicate_of", "apart")) {
            expected.put(whole, Map.of("type", "keyword"));
        }
        expected.put("features", Map.of("type", "integer", "index", false));
        expected.put("bits", Map.of("type", "long", "index", false));
        expected.put("quality", Map.of("type", "integer", "index", false));
        expected.put("bits_256", Map.of("type", "binary", "doc_values", true));
        for (int i = 0; i < 4; i++) {
            expected.put("segment_" + i, terms);
        }
        assertEquals(expected, fields);
    }

    /** The fields have neither doc values nor a place in {@code _field_names}. */
    @Test
    void testExistsFindsDocumentsWithAField() {
        client.must("PUT", "/docs-exists/_doc/short", "{\"content\":\"too short\"}");
        String text = (String) sample.documents().get(LIKED).get("content");
        client.must("PUT", "/docs-exists/_doc/long?refresh=true", Json.write(Map.of("content", text)));
        for (String field : List.of("hash", "segment_0", "segment_3", "bits")) {
            assertEquals(Set.of("long"), having("docs-exists", "simhash." + field), field);
        }
        for (String field : List.of("digest", "scheme")) {
            assertEquals(Set.of("long", "short"), having("docs-exists", "simhash." + field), field);
        }
    }

    @Test
    void testFindsByHash() {
        for (String id :
                stored.keySet().stream().filter(id -> id.endsWith(".v0")).toList()) {
            Fingerprint fingerprint = stored.get(id);
            for (int distance : new int[] {0, 3, 10, 24}) {
                var near = fingerprint.near(stored, distance);
                assertTrue(near.containsKey(id));
                assertFound(near, search(INDEX, simhash("hash", fingerprint.hash(), distance)));
            }
        }
    }

    @Test
    void testFindsByIdWithoutTheDocumentItself() {
        var near = stored.get(LIKED).near(stored, 10);
        near.remove(LIKED);
        assertFalse(near.isEmpty(), "the sample holds a near-duplicate");
        assertFound(near, search(INDEX, simhash("id", LIKED, 10)));
    }

    @Test
    void testFindsByIdWithTheDocumentItselfWhenAsked() {
        Map<String, Object> query = simhash("id", LIKED, 10);
        query.put("include_self", true);
        assertFound(stored.get(LIKED).near(stored, 10), search(INDEX, query));
    }

    @Test
    void testFindsByTextAndByDocument() {
        String content = (String) sample.documents().get(LIKED).get("content");
        var near = stored.get(LIKED).near(stored, 10);
        assertFound(near, search(INDEX, simhash("text", content, 10)));
        assertFound(near, search(INDEX, simhash("document", Map.of("content", content, "title", "another"), 10)));
    }

    @Test
    void testFindsTheOriginalOfAnEditedCopy() {
        String content = (String) sample.documents().get(LIKED).get("content");
        String edited = content.replace("your", "the").replace("Astro", "Comet") + " One more sentence.";
        Answer answer = search(INDEX, simhash("text", edited, 16));
        assertTrue(answer.ids().contains(LIKED), answer.text());
    }

    @Test
    void testDefaultDistanceIsThree() {
        Map<String, Object> query = simhash("hash", stored.get(LIKED).hash(), 0);
        query.remove("max_distance");
        assertFound(stored.get(LIKED).near(stored, 3), search(INDEX, query));
    }

    @Test
    void testFilterCountAndAggregations() {
        var near = stored.get(LIKED).near(stored, 24);
        near.keySet().removeIf(id -> id.startsWith("en.") == false);
        var filter = List.of(
                Map.of("simhash", simhash("hash", stored.get(LIKED).hash(), 24)),
                Map.of("term", Map.of("language", "en")));
        Map<String, Object> query = Map.of("bool", Map.of("filter", filter));
        Answer answer = client.must(
                "POST",
                "/" + INDEX + "/_search",
                Json.write(Map.of(
                        "query",
                        query,
                        "size",
                        1000,
                        "aggs",
                        Map.of("languages", Map.of("terms", Map.of("field", "language.keyword"))))));
        assertEquals(near.keySet(), Set.copyOf(answer.ids()));
        assertEquals(0.0, Json.at(answer.hits().getFirst(), "_score"));
        assertEquals(near.size(), answer.number("aggregations.languages.buckets.0.doc_count"));
        Answer count = client.must("POST", "/" + INDEX + "/_count", Json.write(Map.of("query", query)));
        assertEquals(near.size(), count.number("count"));
    }

    @Test
    void testBoostMultipliesTheScore() {
        Map<String, Object> query = simhash("hash", stored.get(LIKED).hash(), 10);
        query.put("boost", 2.0);
        query.put("_name", "like");
        Answer answer = search(INDEX, query);
        assertEquals(2.0, Json.at(answer.hits().getFirst(), "_score"));
        assertEquals(List.of("like"), Json.at(answer.hits().getFirst(), "matched_queries"));
    }

    @Test
    void testDeleteByQueryDeletesTheNearDuplicatesOnly() {
        copyTo("docs-delete");
        var near = stored.get(LIKED).near(stored, 10);
        String query = Json.write(Map.of(
                "query", Map.of("simhash", simhash("hash", stored.get(LIKED).hash(), 10))));
        Answer answer = client.must("POST", "/docs-delete/_delete_by_query?refresh=true", query);
        assertEquals(near.size(), answer.number("deleted"));
        var left = Fingerprint.stored(client, "docs-delete");
        assertEquals(stored.size() - near.size(), left.size());
        assertEquals(
                0,
                search("docs-delete", simhash("hash", stored.get(LIKED).hash(), 10))
                        .number("hits.total.value"));
    }

    @Test
    void testSearchesSeveralIndicesAndAliases() {
        copyTo("docs-copy");
        long near = stored.get(LIKED).near(stored, 10).size();
        Map<String, Object> byHash = simhash("hash", stored.get(LIKED).hash(), 10);
        assertEquals(2 * near, search(INDEX + ",docs-copy", byHash).number("hits.total.value"));

        client.must("PUT", "/docs-copy/_alias/everything", null);
        client.must("PUT", "/" + INDEX + "/_alias/everything", null);
        assertEquals(2 * near, search("everything", byHash).number("hits.total.value"));

        Map<String, Object> byId = simhash("id", LIKED, 10);
        byId.put("index", "docs-copy");
        // Only the document in docs-copy is the one asked about; its twin in the other index is a near-duplicate.
        assertEquals(2 * near - 1, search("everything", byId).number("hits.total.value"));
    }

    @Test
    void testWorksOnDynamicMapping() {
        client.must("PUT", "/plain", settings);
        reindex("plain", "fingerprint");
        var byHash = simhash("hash", stored.get(LIKED).hash(), 10);
        assertFound(stored.get(LIKED).near(stored, 10), search("plain", byHash));
        Map<String, Object> byText =
                simhash("text", sample.documents().get(LIKED).get("content"), 10);
        byText.put("pipeline", "fingerprint");
        assertFound(stored.get(LIKED).near(stored, 10), search("plain", byText));
    }

    @Test
    void testUnmappedFieldMatchesNothing() {
        client.must("PUT", "/plain-empty", settings);
        Answer answer = search("plain-empty", simhash("hash", "0000000000000000", 64));
        assertEquals(0, answer.number("hits.total.value"));
    }

    @Test
    void testTextsTooShortForAFingerprintMatchEqualTextsOnly() {
        client.must("PUT", "/docs-short", settings);
        String[] texts = {"Hello world", "hello,  WORLD", "Hello there", "", "!!! ???"};
        for (int i = 0; i < texts.length; i++) {
            String document = Json.write(Map.of("content", texts[i]));
            client.must("PUT", "/docs-short/_doc/" + i + "?refresh=true", document);
        }
        Answer first = client.must("GET", "/docs-short/_doc/0", null);
        assertNull(first.at("_source.simhash.hash"));
        assertNull(first.at("_source.simhash.bits"));
        assertNull(first.at("_source.simhash.segment_0"));
        assertEquals(32, first.string("_source.simhash.digest").length());
        assertTrue(first.string("_source.simhash.scheme").matches("v3-[0-9a-f]{8}"), first.text());

        Answer answer = search("docs-short", simhash("text", "hello world", 64));
        assertEquals(Set.of("0", "1"), Set.copyOf(answer.ids()));
    }

    @Test
    void testDocumentsOfAnotherRecipeAreNotComparable() {
        String pipeline = "{\"processors\":[{\"simhash\":{\"field\":\"content\",\"hash_function\":"
                + "\"fnv1a\",\"weighting\":\"tf\"}}]}";
        client.must("PUT", "/_ingest/pipeline/other-recipe", pipeline);
        client.must("PUT", "/plain-other", settings);
        reindex("plain-other", "other-recipe");
        Map<String, Object> byText =
                simhash("text", sample.documents().get(LIKED).get("content"), 64);
        byText.put("pipeline", "fingerprint");
        assertEquals(List.of(LIKED), search("plain-other", byText).ids(), "the equal digest only");
        var others = Fingerprint.stored(client, "plain-other");
        assertNotEquals(stored.get(LIKED).scheme(), others.get(LIKED).scheme());
        assertFound(
                others.get(LIKED).near(others, 3),
                search("plain-other", simhash("hash", others.get(LIKED).hash(), 3)));
    }

    private void copyTo(String index) {
        client.must("PUT", "/" + index, settings);
        reindex(index, "fingerprint");
    }

    private void reindex(String index, String pipeline) {
        Map<String, Object> source = Map.of("index", INDEX, "_source", Map.of("excludes", List.of("simhash")));
        Map<String, Object> dest = Map.of("index", index, "pipeline", pipeline);
        Answer answer =
                client.must("POST", "/_reindex?refresh=true", Json.write(Map.of("source", source, "dest", dest)));
        assertEquals(stored.size(), answer.number("created"));
    }

    private Answer search(String index, Map<String, Object> simhash) {
        Map<String, Object> request = Map.of("query", Map.of("simhash", simhash), "size", 1000, "_source", false);
        return client.must("POST", "/" + index + "/_search", Json.write(request));
    }

    private Set<String> having(String index, String field) {
        String request = Json.write(Map.of("query", Map.of("exists", Map.of("field", field))));
        return Set.copyOf(client.must("POST", "/" + index + "/_search", request).ids());
    }

    private static Map<String, Object> simhash(String source, Object value, int distance) {
        Map<String, Object> query = new LinkedHashMap<>();
        query.put("field", "simhash");
        query.put(source, value);
        query.put("max_distance", distance);
        return query;
    }

    /** The same documents, each with the score of its distance, the nearest first. */
    private static void assertFound(Map<String, Integer> near, Answer answer) {
        Map<String, Double> expected = new TreeMap<>();
        near.forEach((id, distance) -> expected.put(id, (double) (float) (1 - distance / 64.0)));
        Map<String, Double> found = new TreeMap<>();
        double last = 1;
        for (var hit : answer.hits()) {
            double score = ((Number) hit.get("_score")).doubleValue();
            assertTrue(score <= last);
            last = score;
            found.put((String) hit.get("_id"), score);
        }
        assertEquals(expected, found);
        assertEquals(expected.size(), answer.number("hits.total.value"));
    }
}
