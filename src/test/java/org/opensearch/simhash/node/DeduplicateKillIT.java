/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A node dies while a job writes: no document is lost, and the job, started again, ends as an undisturbed one. */
class DeduplicateKillIT {

    private static final int DOCUMENTS = 4_000;
    private static final int ASKED = 2;
    private static final long PATIENCE_MILLIS = 90_000;

    private final long seed = System.nanoTime();

    @Test
    void testTheCoordinatingNodeDies() {
        kill(0);
    }

    @Test
    void testADataNodeDies() {
        kill(1);
    }

    private void kill(int victim) {
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.quick(3))) {
            RestClient client = cluster.client(ASKED);
            for (String index : List.of("disturbed", "control")) {
                fill(client, index);
            }
            client.must("POST", "/_plugins/_simhash/deduplicate/control", job("delete", "control-removed"));
            Map<String, Object> all = sources(client, "disturbed");

            String task = cluster.client(0)
                    .must(
                            "POST",
                            path("disturbed?wait_for_completion=false&requests_per_second=400&scroll_size=50"),
                            job("delete", "disturbed-removed"))
                    .string("task");
            await(() -> written(cluster.client(0), task) >= 200);
            cluster.kill(victim);
            await(() -> client.get("/_cluster/health?wait_for_status=yellow&wait_for_nodes=2&timeout=30s")
                    .ok());
            await(() ->
                    client.get("/_tasks?actions=*simhash/deduplicate").text().contains("disturbed") == false);

            client.must("POST", "/disturbed,disturbed-removed/_refresh", null);
            Map<String, Object> left = sources(client, "disturbed");
            Map<String, Object> removed = sources(client, "disturbed-removed");
            String hint = "seed " + seed + ", victim " + victim;
            assertTrue(left.size() < all.size(), "something was deleted; " + hint);
            for (String id : all.keySet()) {
                assertTrue(left.containsKey(id) || removed.containsKey(id), "lost: " + id + ", " + hint);
            }

            await(() -> client.send("POST", path("disturbed"), job("delete", "disturbed-removed"))
                    .ok());
            assertEquals(
                    sources(client, "control").keySet(),
                    sources(client, "disturbed").keySet(),
                    hint);
            assertEquals(
                    sources(client, "control-removed").keySet(),
                    sources(client, "disturbed-removed").keySet(),
                    hint);
            assertEquals(
                    0, client.must("POST", path("disturbed"), job("tag", null)).number("duplicates"), hint);
        }
    }

    private static String path(String index) {
        return "/_plugins/_simhash/deduplicate/" + index;
    }

    private static String job(String action, String archive) {
        Map<String, Object> options = new TreeMap<>(Map.of("action", action, "max_distance", 3));
        if (archive != null) {
            options.put("archive", Map.of("index", archive));
        }
        return Json.write(options);
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        while (condition.holds() == false) {
            assertTrue(System.nanoTime() < deadline, "waited too long");
            Thread.onSpinWait();
        }
    }

    private static long written(RestClient client, String task) {
        return client.must("GET", "/_tasks/" + task, null).number("task.status.written");
    }

    private static Map<String, Object> sources(RestClient client, String index) {
        Map<String, Object> sources = new TreeMap<>();
        client.must("POST", "/" + index + "/_search", "{\"size\":10000}")
                .hits()
                .forEach(hit -> sources.put((String) hit.get("_id"), hit.get("_source")));
        return sources;
    }

    private void fill(RestClient client, String index) {
        Object mappings = Json.at(Json.parse(new SampleIndex().config("index-template")), "template.mappings");
        Map<String, Object> settings = Map.of("number_of_shards", 3, "number_of_replicas", 1);
        client.must("PUT", "/" + index, Json.write(Map.of("settings", settings, "mappings", mappings)));
        var random = new SplittableRandom(seed);
        long[] values = new long[DOCUMENTS];
        var bulk = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i++) {
            values[i] =
                    i > 0 && i % 3 == 0 ? values[random.nextInt(i)] ^ (1L << random.nextInt(64)) : random.nextLong();
            bulk.append("{\"index\":{\"_id\":\"" + i + "\"}}\n");
            bulk.append("{\"simhash\":{\"bits\":" + values[i] + ",\"digest\":\""
                    + String.format(Locale.ROOT, "%032x", i) + "\",\"features\":20,\"scheme\":\"v1-a\"}}\n");
        }
        Answer answer = client.must("POST", "/" + index + "/_bulk?refresh=true", bulk.toString());
        assertEquals(false, answer.at("errors"));
        client.must("GET", "/_cluster/health/" + index + "?wait_for_status=green&timeout=60s", null);
    }
}
