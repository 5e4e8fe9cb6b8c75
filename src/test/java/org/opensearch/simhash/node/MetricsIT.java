/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Metrics of a real node, before and after what is measured. */
@RealNodes(1)
class MetricsIT {

    private static final String PATH = "/_plugins/_simhash/metrics";
    private static final String PREFIX = "opensearch_simhash_";
    private static final String INDEX = "docs-metrics";
    private static final String TEXT = "one evening the boats came home late and all of them were full of fish";

    private final RestClient client;

    MetricsIT(RealCluster cluster) {
        this.client = cluster.client(0);
    }

    @BeforeEach
    void create() {
        client.must("PUT", "/_ingest/pipeline/" + INDEX, """
                {"processors": [{"simhash": {"field": "content"}}, {"near_duplicate": {}}]}""");
        client.must("PUT", "/_ingest/pipeline/" + INDEX + "-drop", """
                {"processors": [{"simhash": {"field": "content"}}, {"near_duplicate": {"action": "drop"}}]}""");
        client.must(
                "PUT",
                "/" + INDEX,
                Json.write(
                        Map.of("settings", Map.of("number_of_shards", 1), "mappings", new SampleIndex().mappings())));
    }

    @AfterEach
    void remove() {
        client.must("DELETE", "/" + INDEX, null);
        client.must("DELETE", "/_ingest/pipeline/" + INDEX + "*", null);
    }

    @Test
    void testADocumentCountsOnceByWhatBecameOfIt() {
        Map<String, Double> changes = changes(() -> index(INDEX));
        assertEquals(
                Map.of(
                        documents("indexed"), 2.0,
                        documents("tagged"), 1.0,
                        documents("too_short"), 1.0,
                        documents("failed"), 1.0),
                named("documents_total", changes));
        assertEquals(5, changes.get(PREFIX + "fingerprint_seconds_count"));
        assertEquals(1, changes.get(PREFIX + "lookup_seconds_count"));
        assertEquals(4, changes.get(PREFIX + "looked_up_documents_total"));
        // What other tests left in the window may go meanwhile.
        assertTrue(Scrape.of(client, PATH).value(PREFIX + "window_entries") >= 4);
        Map<String, Double> again = changes(() -> index(INDEX + "-drop"));
        assertEquals(
                // The short text does not end.
                Map.of(
                        documents("dropped"), 3.0,
                        documents("tagged"), 1.0,
                        documents("too_short"), 1.0,
                        documents("failed"), 1.0),
                named("documents_total", again));
    }

    private static String documents(String outcome) {
        return PREFIX + "documents_total{outcome=\"" + outcome + "\"}";
    }

    @Test
    void testSearchesAreTimedByPlan() {
        index(INDEX);
        String near = Json.write(
                Map.of("simhash", Map.of("text", TEXT, "pipeline", INDEX, "verify", Map.of("field", "content"))));
        Map<String, Double> changes =
                changes(() -> client.must("POST", "/" + INDEX + "/_search", "{\"query\": " + near + "}"));
        assertEquals(1, changes.get(PREFIX + "queries_total"));
        double timed = named("query_seconds_count", changes).values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
        assertEquals(1, timed, changes.toString());
        assertEquals(2, changes.get(PREFIX + "verification_seconds_count"), changes.toString());
    }

    @Test
    void testJobsAreTimedByPhase() {
        index(INDEX);
        Map<String, Double> changes =
                changes(() -> client.must("POST", "/_plugins/_simhash/deduplicate/" + INDEX, "{\"action\": \"tag\"}"));
        assertEquals(1, changes.get(PREFIX + "started_jobs_total"));
        assertEquals(1, changes.get(PREFIX + "ended_jobs_total{outcome=\"completed\"}"));
        for (String phase : List.of("scan", "join", "read", "group", "write")) {
            assertEquals(
                    1, changes.get(PREFIX + "job_phase_seconds_count{phase=\"" + phase + "\"}"), changes.toString());
        }
        assertEquals(1, changes.get(PREFIX + "requests_total{kind=\"deduplicate\",status=\"200\"}"));
    }

    /** Also those that no action is made of. */
    @Test
    void testAnswersAreCountedByStatus() {
        Map<String, Double> changes = changes(() -> {
            client.must(
                    "POST",
                    "/_plugins/_simhash/fingerprint",
                    "{\"pipeline\": \"" + INDEX + "\", \"text\": \"" + TEXT + "\"}");
            assertEquals(
                    400,
                    client.send("POST", "/_plugins/_simhash/fingerprint", "{\"txt\": 1}")
                            .status());
            assertEquals(400, client.get("/_plugins/_simhash/stats?colour=red").status());
            assertEquals(
                    404,
                    client.send("POST", "/_plugins/_simhash/deduplicate/no-such-index", "{}")
                            .status());
        });
        Map<String, Double> requests = named("requests_total", changes);
        requests.keySet().removeIf(name -> name.contains("metrics"));
        assertEquals(
                Map.of(
                        PREFIX + "requests_total{kind=\"fingerprint\",status=\"200\"}", 1.0,
                        PREFIX + "requests_total{kind=\"fingerprint\",status=\"400\"}", 1.0,
                        PREFIX + "requests_total{kind=\"stats\",status=\"400\"}", 1.0,
                        PREFIX + "requests_total{kind=\"deduplicate\",status=\"404\"}", 1.0),
                requests);
        Answer usage = client.get("/_nodes/usage/rest_actions");
        assertTrue(usage.text().contains("\"simhash_metrics_action\":"), usage.text());
    }

    @Test
    void testTheFormatIsThatWhichIsAskedFor() {
        Scrape plain = Scrape.of(client, PATH, "text/plain");
        assertEquals("text/plain; version=0.0.4; charset=utf-8", plain.type());
        assertTrue(plain.text().contains("# TYPE opensearch_simhash_documents_total counter\n"), plain.text());
        Scrape open = Scrape.of(client, PATH, "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
        assertEquals("application/openmetrics-text; version=1.0.0; charset=utf-8", open.type());
        assertTrue(open.text().endsWith("# EOF\n"), open.text());
        assertEquals(
                plain.type(),
                Scrape.of(client, PATH + "?format=prometheus", open.type()).type());
        assertEquals(
                open.type(), Scrape.of(client, PATH + "?format=openmetrics").type());
    }

    @Test
    void testWhatIsWrongIsNamed() {
        assertRefused(400, "[format] must be of [prometheus, openmetrics], got: text", "metrics?format=text");
        assertEquals(400, client.get("/_plugins/_simhash/metrics?format=yaml").status());
        assertRefused(400, "[cluster] must be [true] or [false], got: maybe", "metrics?cluster=maybe");
        assertRefused(
                400, "[cluster] must not stand beside names of nodes, got: node-0", "node-0/metrics?cluster=true");
        assertRefused(404, "[node] must name a node of the cluster, got: nobody", "nobody/metrics");
        assertRefused(
                400,
                "request [/_plugins/_simhash/metrics] contains unrecognized parameter: [clusters] -> did you mean [cluster]?",
                "metrics?clusters=true");
        assertEquals(400, client.get("/_plugins/_simhash/metrics?timeout=soon").status());
    }

    private void assertRefused(int status, String reason, String path) {
        Answer answer = client.get("/_plugins/_simhash/" + path);
        assertEquals(status, answer.status(), answer.text());
        assertEquals(reason, answer.reason());
    }

    @Test
    void testEveryMetricIsDocumented() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("project.basedir"), "docs", "operations.md"));
        Scrape.of(client, PATH + "?cluster=true")
                .text()
                .lines()
                .filter(line -> line.startsWith("# TYPE " + PREFIX))
                .map(line -> line.split(" ", -1)[2].substring(PREFIX.length()))
                .forEach(name -> assertTrue(page.contains("| `" + name + "`"), name));
    }

    /** Two near-duplicates, one other text, one that is too short, and one document that is refused. */
    private void index(String pipeline) {
        var bulk = new StringBuilder();
        for (String content : List.of(
                "\"" + TEXT + "\"",
                "\"" + TEXT + ".\"",
                "\"nobody in the house had heard the bell, although it had been rung for quite a long while\"",
                "\"good day\"",
                "{\"a\": 1}")) {
            bulk.append("{\"index\": {}}\n{\"content\": ").append(content).append("}\n");
        }
        client.must("POST", "/" + INDEX + "/_bulk?refresh=true&pipeline=" + pipeline, bulk.toString());
    }

    private Map<String, Double> changes(Runnable what) {
        Map<String, Double> before = Scrape.of(client, PATH).samples();
        what.run();
        Map<String, Double> changes = new TreeMap<>();
        Scrape.of(client, PATH).samples().forEach((name, value) -> {
            double change = value - before.getOrDefault(name, 0.0);
            if (change != 0) {
                changes.put(name, change);
            }
        });
        return changes;
    }

    private static Map<String, Double> named(String name, Map<String, Double> samples) {
        Map<String, Double> named = new TreeMap<>(samples);
        named.keySet().removeIf(sample -> sample.startsWith(PREFIX + name + "{") == false);
        return named;
    }
}
