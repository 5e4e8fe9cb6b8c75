/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the node counts, seen before and after what is counted. */
@RealNodes(1)
class StatsIT {

    private static final String INDEX = "docs-stats";
    private static final String TEXT = "one morning the river had risen over the fields and nobody could cross it";

    private final RestClient client;

    StatsIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    @BeforeEach
    void create() {
        client.must("PUT", "/_ingest/pipeline/" + INDEX, """
                {"processors": [{"simhash": {"field": "content"}}, {"near_duplicate": {}}]}""");
        client.must("PUT", "/_search/pipeline/" + INDEX, """
                {"request_processors": [{"collapse_near_duplicates": {}}],
                 "response_processors": [{"collapse_near_duplicates": {}}]}""");
        Object mappings = new SampleIndex().mappings();
        client.must(
                "PUT",
                "/" + INDEX,
                Json.write(Map.of("settings", Map.of("number_of_shards", 1), "mappings", mappings)));
    }

    @AfterEach
    void remove() {
        client.must("DELETE", "/" + INDEX, null);
        client.must("DELETE", "/_ingest/pipeline/" + INDEX, null);
        client.must("DELETE", "/_search/pipeline/" + INDEX, null);
    }

    @Test
    void testIndexingIsCounted() {
        Map<String, Long> changes = changes(this::index);
        assertEquals(
                Map.of(
                        "fingerprints.documents", 4L,
                        "fingerprints.too_short", 1L,
                        "errors.fingerprints", 1L,
                        "duplicates.looked_up", 4L,
                        "duplicates.tagged", 1L),
                changes);
    }

    @Test
    void testSearchesAreCounted() {
        index();
        String near = Json.write(Map.of("simhash", Map.of("text", TEXT, "pipeline", INDEX)));
        Map<String, Long> changes = changes(() -> search("", "{\"query\": " + near + "}"));
        assertEquals(1, changes.remove("queries.total"));
        assertEquals(2, changes.remove("queries.matches"));
        long leaves = changes.entrySet().stream()
                .filter(change -> change.getKey().startsWith("queries.leaves_by_plan."))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertTrue(leaves > 0, changes.toString());
        changes.keySet().removeIf(name -> name.startsWith("queries."));
        assertEquals(Map.of(), changes);
        assertEquals(Map.of(), changes(() -> search("", "{\"query\": {\"match_all\": {}}}")));
    }

    @Test
    void testQueriesAreCountedWhereverTheyStand() {
        index();
        String near = "{\"simhash\": {\"hash\": \"0123456789abcdef\", \"max_distance\": 64}}";
        for (String body : List.of(
                "{\"query\": {\"bool\": {\"should\": [{\"bool\": {\"filter\": " + near + "}}]}}}",
                "{\"query\": {\"function_score\": {\"query\": " + near + "}}}",
                "{\"post_filter\": " + near + "}",
                "{\"size\": 0, \"aggs\": {\"near\": {\"filter\": " + near + "}}}",
                "{\"query\": {\"match_all\": {}}, \"rescore\": {\"query\": {\"rescore_query\": " + near + "}}}")) {
            Map<String, Long> changes = changes(() -> search("?request_cache=false", body));
            assertEquals(1, changes.get("queries.total"), body);
            assertEquals(3, changes.get("queries.matches"), body);
        }
        assertEquals(
                1,
                changes(() -> client.must("POST", "/" + INDEX + "/_count", "{\"query\": " + near + "}"))
                        .get("queries.total"));
    }

    @Test
    void testSearchesThatFailAreCounted() {
        index();
        String failing =
                "{\"query\": {\"bool\": {\"must\": [{\"simhash\": {\"hash\": \"0000000000000000\", \"max_distance\": 64}}],"
                        + "\"filter\": [{\"script\": {\"script\": \"doc['none'].value > 0\"}}]}}}";
        Map<String, Long> changes = changes(() -> assertEquals(
                400, client.send("POST", "/" + INDEX + "/_search", failing).status()));
        assertEquals(1, changes.get("errors.queries"));
        assertEquals(1, changes.get("queries.total"));
    }

    /** OpenSearch tells nobody of a search that ends before its query phase. */
    @Test
    void testSearchesOfWhichNoQueryCanBeMadeAreCounted() {
        index();
        String wrong = "{\"simhash\": {\"field\": \"content\", \"hash\": \"0123456789abcdef\"}}";
        String right = "{\"simhash\": {\"hash\": \"0123456789abcdef\"}}";
        for (String body : List.of(
                "{\"query\": " + wrong + "}",
                "{\"query\": {\"bool\": {\"should\": [" + right + ", " + wrong + ", " + wrong + "]}}}",
                "{\"query\": " + right + ", \"post_filter\": " + wrong + "}",
                "{\"query\": " + right + ", \"aggs\": {\"near\": {\"filter\": " + wrong + "}}}")) {
            Map<String, Long> changes = changes(() -> assertEquals(
                    400, client.send("POST", "/" + INDEX + "/_search", body).status()));
            assertEquals(1, changes.get("errors.queries"), body);
        }
    }

    @Test
    void testTextsThatAreComparedAreCounted() {
        index();
        String near = "{\"simhash\": {\"text\": \"" + TEXT + "\", \"pipeline\": \"" + INDEX
                + "\", \"verify\": {\"field\": \"content\"}, \"max_distance\": DISTANCE}}";
        for (String body : List.of("{\"query\": " + near + "}", "{\"size\": 0, \"query\": " + near + "}")) {
            Map<String, Long> changes = changes(() -> search("?request_cache=false", body.replace("DISTANCE", "64")));
            assertEquals(3, changes.get("queries.verified"), body);
            assertEquals(3, changes.get("queries.matches"), body);
            assertEquals(1, changes.get("queries.total"), body);
        }
        Map<String, Long> unverified =
                changes(() -> search("", "{\"query\": {\"simhash\": {\"hash\": \"0123456789abcdef\"}}}"));
        assertEquals(null, unverified.get("queries.verified"));
    }

    @Test
    void testCollapsedSearchesAreCounted() {
        index();
        Map<String, Long> changes = changes(() -> search("?search_pipeline=" + INDEX, "{\"size\": 10}"));
        assertEquals(Map.of("collapse.searches", 1L, "collapse.hits", 4L, "collapse.hidden", 1L), changes);
    }

    @Test
    void testJobsAreCounted() {
        index();
        Map<String, Long> changes = changes(() -> {
            client.must("POST", "/_plugins/_simhash/deduplicate/" + INDEX, "{\"action\": \"tag\"}");
            assertEquals(
                    400,
                    client.send("POST", "/_plugins/_simhash/deduplicate/" + INDEX, "{\"field\": \"content\"}")
                            .status());
        });
        assertEquals(2, changes.get("jobs.started"), changes.toString());
        assertEquals(1, changes.get("jobs.completed"), changes.toString());
        assertEquals(1, changes.get("jobs.tagged"), changes.toString());
        assertEquals(1, changes.get("jobs.grouped"), changes.toString());
        assertEquals(1, changes.get("errors.jobs"), changes.toString());
        assertEquals(0, flat(stats("/jobs")).get("jobs.running"));
    }

    @Test
    void testSectionsAreChosenByName() {
        Map<?, ?> node = node(stats("/jobs,errors"));
        assertEquals(List.of("name", "jobs", "errors"), List.copyOf(node.keySet()));
        assertEquals(
                List.of("name", "fingerprints", "queries", "duplicates", "collapse", "jobs", "errors"),
                List.copyOf(node(stats("")).keySet()));
        assertEquals(node(stats("/_all")).keySet(), node(stats("")).keySet());
        assertEquals(400, client.get("/_plugins/_simhash/stats/_all,job").status());
        Answer unknown = client.get("/_plugins/_simhash/stats/job");
        assertEquals(400, unknown.status());
        assertEquals(
                "[stat] must be of [fingerprints, queries, duplicates, collapse, jobs, errors], got: job; request"
                        + " [/_plugins/_simhash/stats/job] contains unrecognized stat: [job] -> did you mean [jobs]?",
                unknown.reason());
        Answer none = client.get("/_plugins/_simhash/stats/,");
        assertEquals(400, none.status());
        assertEquals(
                "[stat] must be of [fingerprints, queries, duplicates, collapse, jobs, errors], got: ,", none.reason());
    }

    /** Two near-duplicates, one other text, one that is too short, and one document that is refused. */
    private void index() {
        var bulk = new StringBuilder();
        for (String content : List.of(
                "\"" + TEXT + "\"",
                "\"" + TEXT + ".\"",
                "\"in the evening of the same day a letter came from a town that none of us had ever heard of\"",
                "\"hello\"",
                "{\"a\": 1}")) {
            bulk.append("{\"index\": {}}\n{\"content\": ").append(content).append("}\n");
        }
        client.must("POST", "/" + INDEX + "/_bulk?refresh=true&pipeline=" + INDEX, bulk.toString());
    }

    private void search(String parameters, String body) {
        client.must("POST", "/" + INDEX + "/_search" + parameters, body);
    }

    private Map<String, Long> changes(Runnable what) {
        Map<String, Long> before = flat(stats(""));
        what.run();
        Map<String, Long> changes = new TreeMap<>();
        flat(stats("")).forEach((name, count) -> {
            if (count.equals(before.get(name)) == false && name.endsWith("_millis") == false) {
                changes.put(name, count - before.get(name));
            }
        });
        return changes;
    }

    private Answer stats(String sections) {
        return client.must("GET", "/_plugins/_simhash/stats" + sections, null);
    }

    private static Map<?, ?> node(Answer stats) {
        return (Map<?, ?>) ((Map<?, ?>) stats.at("nodes")).values().iterator().next();
    }

    private static Map<String, Long> flat(Answer stats) {
        Map<String, Long> flat = new LinkedHashMap<>();
        flatten("", node(stats), flat);
        return flat;
    }

    private static void flatten(String prefix, Map<?, ?> counts, Map<String, Long> flat) {
        counts.forEach((name, value) -> {
            if (value instanceof Map<?, ?> nested) {
                flatten(prefix + name + ".", nested, flat);
            } else if (value instanceof Number number) {
                flat.put(prefix + name, number.longValue());
            }
        });
    }
}
