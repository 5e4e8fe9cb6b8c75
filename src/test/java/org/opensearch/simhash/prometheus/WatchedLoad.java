/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.simhash.node.Scrape;

/** What a node does while it is watched, and what goes wrong there. One thread. */
final class WatchedLoad implements AutoCloseable {

    private static final String INDEX = "watched";
    private static final String SCHEDULE = "/_plugins/_simhash/schedules/watched";
    private static final int BULK = 200;
    private static final int WORDS = 60;
    /** In seconds; its half is shorter than what alerts look back. */
    private static final int CYCLE = 10;

    private final RestClient client;
    private final SampleIndex sample = new SampleIndex();
    private final List<String> words = sample.words("en");
    private final Random random = new Random(1);
    private final List<String> tasks = new ArrayList<>();
    private String first;
    private boolean isScheduled;
    private long lastRun;

    WatchedLoad(RestClient client) {
        this.client = client;
    }

    void create() {
        client.must("PUT", "/" + INDEX, Json.write(Map.of("mappings", sample.mappings())));
        pipeline(INDEX, "{}");
        pipeline("watched-failing", "{\"index\": \"no-such-index\"}");
        client.must("PUT", "/_search/pipeline/" + INDEX, sample.config("search-pipeline"));
        window("10000");
    }

    private void pipeline(String name, String nearDuplicate) {
        client.must(
                "PUT",
                "/_ingest/pipeline/" + name,
                "{\"processors\": [{\"simhash\": {\"field\": \"content\", \"ignore_missing\": true}}, {\"near_duplicate\": "
                        + nearDuplicate + "}]}");
    }

    private void window(String size) {
        client.must(
                "PUT",
                "/_cluster/settings",
                "{\"transient\": {\"plugins.simhash.near_duplicate.window.size\": " + size + "}}");
    }

    private String text() {
        var text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            text.append(words.get(random.nextInt(words.size()))).append(' ');
        }
        return text.toString().strip();
    }

    /** One in five is a near-duplicate of another. */
    void ingest() {
        var lines = new StringBuilder();
        for (int i = 0; i < BULK; i++) {
            first = i % 5 == 4 ? first + " again" : text();
            lines.append(line(Map.of("content", first)));
        }
        lines.append(line(Map.of("content", "short")));
        bulk(INDEX, lines.toString());
        client.must("POST", "/" + INDEX + "/_refresh", null);
    }

    private static String line(Map<String, Object> document) {
        return "{\"index\": {}}\n" + Json.write(document) + "\n";
    }

    private void bulk(String pipeline, String lines) {
        client.must("POST", "/" + INDEX + "/_bulk?pipeline=" + pipeline, lines);
    }

    void search() {
        String near = Json.write(
                Map.of("simhash", Map.of("text", first, "pipeline", INDEX, "verify", Map.of("field", "content"))));
        client.must("POST", "/" + INDEX + "/_search?search_pipeline=" + INDEX, "{\"query\": " + near + "}");
    }

    void badRequest() {
        client.send("POST", "/_plugins/_simhash/fingerprint", "{\"colour\": 1}");
    }

    /** One that ends, and one that goes on slowly. */
    void job() {
        client.must("POST", deduplicate(INDEX), "{\"action\": \"tag\"}");
        run();
        client.must("GET", "/_plugins/_simhash/check/" + INDEX, null);
        if (tasks.isEmpty()) {
            start("&requests_per_second=5", Map.of("action", "report", "dest", Map.of("index", "watched-groups")));
        }
    }

    /** A run a second, so that scrapes see each, and then none for as long: the alert is about runs that have stopped. */
    void run() {
        long second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
        if (Math.floorMod(second, CYCLE) < CYCLE / 2 && second != lastRun) {
            lastRun = second;
            client.must("POST", deduplicate(INDEX), "{\"dest\": {\"index\": \"watched-groups\"}}");
        }
    }

    /** Its last success is when it is put. */
    void schedule() {
        if (isScheduled == false) {
            isScheduled = true;
            client.must(
                    "PUT",
                    SCHEDULE,
                    "{\"every\": \"1h\", \"index\": \"" + INDEX + "\", \"dest\": {\"index\": \"watched-groups\"}}");
        }
    }

    /** No node may have the shard. */
    void failingJob() {
        client.send(
                "PUT",
                "/watched-unassigned?wait_for_active_shards=0",
                "{\"settings\": {\"index.routing.allocation.require._name\": \"nobody\"},"
                        + " \"mappings\": {\"properties\": {\"simhash\": {\"properties\": {"
                        + "\"bits\": {\"type\": \"long\"}, \"hash\": {\"type\": \"keyword\"}}}}}}");
        client.send("POST", deduplicate("watched-unassigned"), "{}");
    }

    private static String deduplicate(String index) {
        return "/_plugins/_simhash/deduplicate/" + index;
    }

    private void start(String parameters, Map<String, Object> body) {
        String path = deduplicate(INDEX) + "?wait_for_completion=false" + parameters;
        tasks.add((String) client.must("POST", path, Json.write(body)).at("task"));
    }

    void failingLookups() {
        bulk("watched-failing", line(Map.of("content", text())));
    }

    void crowdedWindow() {
        window("50");
        ingest();
        window("10000");
    }

    void withoutFingerprints() {
        bulk(INDEX, line(Map.of("title", "without content")).repeat(BULK));
    }

    /** Each document of its query takes some milliseconds, and it hears nothing until a page of them is read. */
    void slowJob() {
        if (tasks.size() < 2) {
            String script = "long sum = 0; for (int i = 0; i < 300000; ++i) { sum += i % 7; } return sum > 0";
            start("", Map.of("query", Map.of("script", Map.of("script", script))));
        }
    }

    /** What the window has is nearly all that there may be. */
    void smallBreaker() {
        ingest();
        double used = Scrape.of(client, "/_plugins/_simhash/metrics").value("opensearch_simhash_breaker_used_bytes");
        client.must(
                "PUT",
                "/_cluster/settings",
                Json.write(Map.of(
                        "transient",
                        Map.of("breaker.simhash.limit", (long) (used * 1.05) + "b", "breaker.simhash.overhead", 1))));
    }

    @Override
    public void close() {
        client.send("DELETE", SCHEDULE, null);
        for (String task : tasks) {
            client.send("POST", "/_tasks/" + task + "/_cancel?wait_for_completion=true", null);
        }
        client.must(
                "PUT",
                "/_cluster/settings",
                "{\"transient\": {\"plugins.simhash.near_duplicate.window.size\": null,"
                        + " \"breaker.simhash.limit\": \"25%\", \"breaker.simhash.overhead\": 1}}");
        client.send("DELETE", "/watched*", null);
        client.send("DELETE", "/_ingest/pipeline/watched*", null);
        client.send("DELETE", "/_search/pipeline/" + INDEX, null);
    }
}
