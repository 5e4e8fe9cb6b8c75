/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Searches through {@code collapse_near_duplicates} on the sample corpus, in which each page comes in several versions, and
 * the same searches without.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CollapseCases {

    static final String INDEX = "docs-collapse";
    private static final int SEARCHES = 40;

    final RestClient client;
    final SampleIndex sample = new SampleIndex();
    private final int shards;
    private final int replicas;
    private Random random;
    private final List<String> words;

    CollapseCases(RealCluster cluster, int shards, int replicas) {
        this.client = cluster.client(0);
        this.shards = shards;
        this.replicas = replicas;
        this.words = sample.documents().values().stream()
                .flatMap(document -> List.of(((String) document.get("content")).split("[^\\p{L}]+", 200)).stream())
                .filter(word -> word.length() > 1 && word.length() < 30)
                .toList();
    }

    @BeforeAll
    void index() {
        sample.configure(client);
        fill(INDEX, shards, replicas);
        factories("simhash_distinct");
    }

    @BeforeEach
    void seed() {
        random = new Random(50_200);
    }

    void factories(String... names) {
        client.must(
                "PUT",
                "/_cluster/settings",
                Json.write(Map.of(
                        "persistent", Map.of("cluster.search.enabled_system_generated_factories", List.of(names)))));
    }

    void fill(String index, int shardsOfIndex, int replicasOfIndex) {
        Map<String, Integer> settings =
                Map.of("number_of_shards", shardsOfIndex, "number_of_replicas", replicasOfIndex);
        client.must("PUT", "/" + index, Json.write(Map.of("settings", settings)));
        sample.fill(client, index, indexed -> {});
    }

    @AfterAll
    void remove() {
        client.must("DELETE", "/docs-*,plain*", null);
        factories();
        sample.remove(client);
    }

    @Test
    void testPagesAreThoseOfAGreedyCollapseOfTheSameHits() {
        int full = 0;
        int hiding = 0;
        int exhausted = 0;
        for (int i = 0; i < SEARCHES; i++) {
            int size = 1 + random.nextInt(50);
            int from = i % 3 == 0 ? 0 : random.nextInt(201);
            int maxDistance = List.of(0, 3, 6, 10, 20).get(random.nextInt(5));
            int oversample = 1 + random.nextInt(12);
            Map<String, Object> search = new LinkedHashMap<>(ranking());
            search.put("_source", List.of("simhash.hash", "simhash.digest", "simhash.scheme"));
            var ranked = new RankedHits(client.must(
                            "POST", searchPath(INDEX), Json.write(with(search, Map.of("size", 10_000))))
                    .hits());
            search.put("_source", false);
            search.putAll(Map.of("size", size, "from", from, "search_pipeline", pipeline(maxDistance, oversample)));
            Answer answer = client.must("POST", searchPath(INDEX), Json.write(search));

            int window = oversample * (from + size);
            var collapsed = ranked.first(window).collapse(maxDistance);
            List<String> all = List.copyOf(collapsed.keySet());
            List<String> page = all.subList(Math.min(from, all.size()), Math.min(from + size, all.size()));
            assertEquals(page, answer.ids());
            for (Map<String, Object> hit : answer.hits()) {
                assertEquals(collapsed.get(hit.get("_id")), hidden(hit), answer.text());
            }
            boolean missing = page.size() < size && ranked.hits().size() > window;
            assertEquals(missing, answer.at("ext.simhash.window_exhausted"), answer.text());
            assertEquals(all.size(), answer.number("ext.simhash.distinct"));
            int came = Math.min(window, ranked.hits().size());
            assertEquals(came, answer.number("ext.simhash.hits"));
            assertEquals(came - all.size(), answer.number("ext.simhash.hidden"));
            assertEquals(ranked.hits().size(), answer.number("hits.total.value"));
            if (missing == false) {
                List<String> distinct = List.copyOf(ranked.collapse(maxDistance).keySet());
                assertEquals(
                        distinct.subList(Math.min(from, distinct.size()), Math.min(from + size, distinct.size())),
                        answer.ids());
            }
            full += page.size() == size ? 1 : 0;
            hiding += came > all.size() ? 1 : 0;
            exhausted += missing ? 1 : 0;
        }
        assertTrue(full > 10 && hiding > 10 && exhausted > 1, full + " " + hiding + " " + exhausted);
    }

    @Test
    void testPagesWithoutAPipelineAreFullUpToTheEnd() {
        int further = 0;
        int last = 0;
        for (int i = 0; i < SEARCHES; i++) {
            int size = 1 + random.nextInt(30);
            int from = i % 3 == 0 ? 0 : random.nextInt(120);
            int maxDistance = List.of(0, 3, 6, 10, 20).get(random.nextInt(5));
            Map<String, Object> search = new LinkedHashMap<>(ranking());
            search.put("aggs", Map.of("versions", Map.of("terms", Map.of("field", "version"))));
            search.put("_source", List.of("simhash.hash", "simhash.digest", "simhash.scheme"));
            Answer plain = client.must("POST", searchPath(INDEX), Json.write(with(search, Map.of("size", 10_000))));
            Map<String, Object> distinct = Map.of("distinct", Map.of("max_distance", maxDistance, "oversample", 1));
            search.putAll(Map.of("size", size, "from", from, "ext", Map.of("simhash", distinct)));
            Answer answer = client.must("POST", searchPath(INDEX), Json.write(search));

            var collapsed = new RankedHits(plain.hits()).collapse(maxDistance);
            List<String> all = List.copyOf(collapsed.keySet());
            assertEquals(all.subList(Math.min(from, all.size()), Math.min(from + size, all.size())), answer.ids());
            assertEquals(false, answer.at("ext.simhash.window_exhausted"), answer.text());
            assertEquals(plain.at("hits.total"), answer.at("hits.total"));
            assertEquals(plain.at("aggregations"), answer.at("aggregations"));
            further += answer.number("ext.simhash.window") > from + size ? 1 : 0;
            last += answer.ids().size() < size ? 1 : 0;
        }
        assertTrue(further > 10 && last > 3, further + " " + last);
    }

    @Test
    void testPagesNeitherRepeatNorSkip() {
        Map<String, Object> search = new LinkedHashMap<>(ranking());
        search.put("query", Map.of("match", Map.of("content", "astro deploy")));
        var ranked =
                new RankedHits(client.must("POST", searchPath(INDEX), Json.write(with(search, Map.of("size", 10_000))))
                        .hits());
        List<String> pages = new ArrayList<>();
        Answer answer;
        do {
            search.putAll(Map.of("size", 7, "from", pages.size(), "search_pipeline", pipeline(10, 40)));
            answer = client.must("POST", searchPath(INDEX), Json.write(search));
            pages.addAll(answer.ids());
        } while (answer.ids().size() == 7);
        assertFalse((boolean) answer.at("ext.simhash.window_exhausted"));
        assertEquals(List.copyOf(ranked.collapse(10).keySet()), pages);
        assertTrue(pages.size() < ranked.hits().size(), "the sample holds near-duplicates");
    }

    @Test
    @SuppressWarnings("unchecked")
    void testEverythingElseStaysAsItWas() {
        Map<String, Object> search = new LinkedHashMap<>(ranking());
        search.put(
                "query",
                Map.of(
                        "bool",
                        Map.of(
                                "should",
                                List.of(
                                        Map.of(
                                                "match",
                                                Map.of("content", Map.of("query", "deploy site", "_name", "named"))),
                                        Map.of("term", Map.of("language", "en"))))));
        search.put("highlight", Map.of("fields", Map.of("content", Map.of())));
        search.put("suggest", Map.of("typo", Map.of("text", "deplyo", "term", Map.of("field", "content"))));
        search.put("docvalue_fields", List.of("simhash.bits", "simhash.scheme"));
        search.put("fields", List.of("title"));
        search.put("version", true);
        search.put("seq_no_primary_term", true);
        search.put(
                "aggs",
                Map.of(
                        "languages",
                        Map.of(
                                "terms", Map.of("field", "simhash.scheme"),
                                "aggs",
                                        Map.of(
                                                "best",
                                                Map.of(
                                                        "top_hits",
                                                        Map.of(
                                                                "size",
                                                                5,
                                                                "docvalue_fields",
                                                                List.of("simhash.bits")))))));
        Map<String, Object> plain = client.must("POST", searchPath(INDEX), Json.write(with(search, Map.of("size", 30))))
                .json();
        search.putAll(Map.of("size", 10, "search_pipeline", pipeline(10, 3)));
        Map<String, Object> collapsed =
                client.must("POST", searchPath(INDEX), Json.write(search)).json();

        assertEquals(List.of("simhash"), List.copyOf(((Map<String, ?>) collapsed.remove("ext")).keySet()));
        List<Map<String, Object>> hits = (List<Map<String, Object>>) Json.at(collapsed, "hits.hits");
        List<Map<String, Object>> plainHits = (List<Map<String, Object>>) Json.at(plain, "hits.hits");
        var kept = new RankedHits(plainHits).collapse(10);
        assertTrue(kept.size() < plainHits.size());
        boolean listed = false;
        for (Map<String, Object> hit : hits) {
            listed |= ((Map<?, ?>) hit.get("fields")).remove("_near_duplicates") != null;
        }
        assertTrue(listed);
        assertEquals(
                plainHits.stream()
                        .filter(hit -> kept.containsKey(hit.get("_id")))
                        .limit(10)
                        .toList(),
                hits);
        for (Map<String, Object> response : List.of(plain, collapsed)) {
            ((Map<?, ?>) response.get("hits")).remove("hits");
            response.remove("took");
        }
        assertEquals(plain, collapsed);
    }

    @Test
    void testWorksAsNamedAsDefaultAndAsInlinePipeline() {
        Map<String, Object> query = Map.of("query", Map.of("match", Map.of("content", "astro")));
        String search = Json.write(query);
        Answer named = client.must("POST", searchPath(INDEX) + "&search_pipeline=distinct", search);
        Answer inline = client.must(
                "POST",
                searchPath(INDEX),
                Json.write(with(query, Map.of("search_pipeline", Json.parse(sample.config("search-pipeline"))))));
        assertTrue(named.number("ext.simhash.hidden") > 0);
        assertEquals(named.hits(), inline.hits());
        assertEquals(named.at("ext"), inline.at("ext"));
        client.must("PUT", "/" + INDEX + "/_settings", "{\"index.search.default_pipeline\":\"distinct\"}");
        try {
            Answer byDefault = client.must("POST", searchPath(INDEX), search);
            assertEquals(named.hits(), byDefault.hits());
            assertEquals(named.at("ext"), byDefault.at("ext"));
            Answer none = client.must("POST", searchPath(INDEX) + "&search_pipeline=_none", search);
            assertNull(none.at("ext"));
            // What reads all documents reads all: a scroll of the index with a default pipeline.
            Answer scroll = client.must("POST", searchPath(INDEX) + "&scroll=1m", "{\"size\":500}");
            assertEquals(sample.documents().size(), scroll.hits().size());
            assertTrue(scroll.string("_scroll_id").length() > 10);
            assertNull(scroll.at("ext"));
            client.must("DELETE", "/_search/scroll/" + scroll.string("_scroll_id"), null);
            Answer count = client.must("GET", "/" + INDEX + "/_count", null);
            assertEquals(sample.documents().size(), count.number("count"));
        } finally {
            client.must("PUT", "/" + INDEX + "/_settings", "{\"index.search.default_pipeline\":null}");
        }
    }

    /** The query and a total order, the same whatever the shards. */
    private Map<String, Object> ranking() {
        List<String> some = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            some.add(words.get(random.nextInt(words.size())));
        }
        Map<String, Object> search = new LinkedHashMap<>();
        search.put("query", Map.of("match", Map.of("content", String.join(" ", some))));
        search.put("sort", List.of("_score", Map.of("_id", "asc")));
        search.put("track_total_hits", true);
        return search;
    }

    static String searchPath(String index) {
        return "/" + index + "/_search?search_type=dfs_query_then_fetch";
    }

    static Map<String, Object> pipeline(int maxDistance, int oversample) {
        var processor = Map.of(
                "collapse_near_duplicates",
                Map.of("field", "simhash", "max_distance", maxDistance, "oversample", oversample));
        return Map.of("request_processors", List.of(processor), "response_processors", List.of(processor));
    }

    static Map<String, Object> with(Map<String, Object> search, Map<String, ?> more) {
        Map<String, Object> both = new LinkedHashMap<>(search);
        both.putAll(more);
        return both;
    }

    /** The ids that a hit hides, by rank, with their distances. */
    static Map<String, Integer> hidden(Map<String, Object> hit) {
        Map<String, Integer> hidden = new LinkedHashMap<>();
        if (Json.at(hit, "fields._near_duplicates") instanceof List<?> list) {
            for (Object entry : list) {
                hidden.put((String) Json.at(entry, "_id"), (Integer) Json.at(entry, "distance"));
            }
        }
        return hidden;
    }
}
