/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Each dynamic setting is changed on nodes that have a keystore, as all real ones have. What throws at a change ends the cluster:
 * every later change of anything is refused. Not on the node that others share: it would keep another limit of the breaker, which
 * cannot be taken back.
 */
@RealNodes(value = 1, disturbed = true)
class SettingsIT {

    private static final Map<String, String> CHANGES = Map.ofEntries(
            Map.entry("plugins.simhash.near_duplicate.max_distance", "0"),
            Map.entry("plugins.simhash.near_duplicate.min_similarity", "0.5"),
            Map.entry("plugins.simhash.near_duplicate.window.time", "1m"),
            Map.entry("plugins.simhash.near_duplicate.window.size", "1000"),
            Map.entry("plugins.simhash.near_duplicate.window.nodes", "local"),
            Map.entry("plugins.simhash.near_duplicate.window.unanswered", "leave_out"),
            Map.entry("plugins.simhash.near_duplicate.lookup_timeout", "20s"),
            Map.entry("plugins.simhash.deduplicate.memory", "1mb"),
            Map.entry("plugins.simhash.deduplicate.disk", "1gb"),
            Map.entry("plugins.simhash.helpers.max_time", "3s"),
            Map.entry("plugins.simhash.image_hash.max_time", "2s"),
            Map.entry("plugins.simhash.image_hash.max_bulk_time", "20s"),
            Map.entry("breaker.simhash.limit", "20%"),
            Map.entry("breaker.simhash.overhead", "1.1"));

    private final RestClient client;

    SettingsIT(RealCluster cluster) {
        client = cluster.client();
    }

    @Test
    void testEachIsChangedAndTakenBack() {
        Map<?, ?> defaults =
                (Map<?, ?>) client.must("GET", "/_cluster/settings?include_defaults=true&flat_settings=true", null)
                        .at("defaults");
        List<String> ours = defaults.keySet().stream()
                .map(Object::toString)
                .filter(name -> name.startsWith("plugins.simhash.") || name.startsWith("breaker.simhash."))
                .filter(name -> name.equals("breaker.simhash.type") == false)
                .filter(name -> name.equals("plugins.simhash.schedules.interval") == false)
                .toList();
        assertTrue(CHANGES.keySet().containsAll(ours), ours + " are there");
        for (String kind : List.of("persistent", "transient")) {
            CHANGES.forEach((name, value) -> {
                set(kind, name, value);
                assertTheClusterLives(name);
                set(kind, name, null);
                assertTheClusterLives(name);
            });
        }
    }

    @Test
    void testADistanceCountsFromThenOnAndNoLonger() {
        String processors = "{\"processors\":[{\"near_duplicate\":{}}]}";
        client.must("PUT", "/_ingest/pipeline/settled", processors);
        client.must("PUT", "/settled", Json.write(Map.of("mappings", new SampleIndex().mappings())));
        client.must("PUT", "/settled/_doc/1?refresh=true", near(0));
        assertEquals(true, isTagged("2", 1L << 40));
        set("transient", "plugins.simhash.near_duplicate.max_distance", "0");
        assertEquals(false, isTagged("3", 1L << 50));
        set("transient", "plugins.simhash.near_duplicate.max_distance", null);
        assertEquals(true, isTagged("4", 1L << 60));
    }

    /** As docs/operations.md says: OpenSearch's own defaults come back, and not the plugin's. */
    @Test
    void testABreakerThatIsTakenBackIsThatOfOpenSearch() {
        set("transient", "breaker.simhash.limit", "1mb");
        assertEquals(1 << 20, breaker("limit_size_in_bytes").longValue());
        assertEquals(2, breaker("overhead").doubleValue());
        set("transient", "breaker.simhash.limit", null);
        Answer jvm = client.must("GET", "/_nodes/stats/jvm", null);
        Number heap = (Number) Json.at(first(jvm), "jvm.mem.heap_max_in_bytes");
        assertEquals(heap.longValue(), breaker("limit_size_in_bytes").longValue());
        assertEquals(2, breaker("overhead").doubleValue());
    }

    private Number breaker(String what) {
        return (Number) Json.at(first(client.must("GET", "/_nodes/stats/breaker", null)), "breakers.simhash." + what);
    }

    private static Object first(Answer stats) {
        return ((Map<?, ?>) stats.at("nodes")).values().iterator().next();
    }

    private boolean isTagged(String id, long bits) {
        client.must("PUT", "/settled/_doc/" + id + "?refresh=true&pipeline=settled", near(bits));
        return client.must("GET", "/settled/_doc/" + id, null).at("_source.near_duplicate") != null;
    }

    private static String near(long bits) {
        return "{\"simhash\":{\"bits\":" + bits + ",\"scheme\":\"v1-a\"}}";
    }

    private void assertTheClusterLives(String name) {
        Answer answer = client.send("PUT", "/_ingest/pipeline/settled", "{\"processors\":[]}");
        assertEquals(200, answer.status(), name + ": " + answer.text());
    }

    private void set(String kind, String name, String value) {
        String typed = value == null ? "null" : "\"" + value + "\"";
        client.must("PUT", "/_cluster/settings", "{\"" + kind + "\":{\"" + name + "\":" + typed + "}}");
    }
}
