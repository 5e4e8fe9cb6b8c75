/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * An index, its archive, the index that duplicates are rerouted to, and the pipelines that write to it.
 *
 * @param index its name
 * @param verified whether texts are compared, too, by each pipeline and each job
 */
record Corpus(String index, boolean verified) {

    static final int DISTANCE = 3;
    static final List<String> ACTIONS = List.of("drop", "fail", "reroute", "tag");

    private static final int SHARDS = 4;
    private static final List<String> REFRESH = List.of("100ms", "1s", "30s");

    String archive() {
        return index + "-removed";
    }

    String rerouted() {
        return index + "-rerouted";
    }

    String pipeline(String action) {
        return index + "-" + action;
    }

    /** For the options of a processor or a job: the rule by which texts are near. */
    Map<String, Object> rule() {
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("max_distance", DISTANCE);
        if (verified) {
            rule.put("verify", Map.of("field", "content", "min_similarity", 0.8));
        }
        return rule;
    }

    /** Of any number of shards that refresh at any interval. */
    void create(RestClient client, int replicas, RandomGenerator random) {
        create(client, 1 + random.nextInt(SHARDS), replicas, REFRESH.get(random.nextInt(REFRESH.size())));
    }

    void create(RestClient client, int shards, int replicas, String refreshInterval) {
        for (String action : ACTIONS) {
            Map<String, Object> options = new LinkedHashMap<>(rule());
            options.put("action", action);
            if (action.equals("reroute")) {
                options.put("reroute_to", rerouted());
            }
            var pipeline = Map.of("processors", List.of(Map.of("near_duplicate", options)));
            client.must("PUT", "/_ingest/pipeline/" + pipeline(action), Json.write(pipeline));
        }
        for (String name : List.of(index, rerouted())) {
            var settings = Map.of(
                    "number_of_shards", shards, "number_of_replicas", replicas, "refresh_interval", refreshInterval);
            client.must("PUT", "/" + name, Json.write(Map.of("settings", settings, "mappings", mappings())));
        }
        client.must("GET", "/_cluster/health/" + index + "*?wait_for_status=green&timeout=60s", null);
    }

    void delete(RestClient client) {
        client.must("DELETE", "/" + index + "," + index + "-*?ignore_unavailable=true", null);
        ACTIONS.forEach(action -> client.must("DELETE", "/_ingest/pipeline/" + pipeline(action), null));
    }

    private static Map<String, Object> mappings() {
        @SuppressWarnings("unchecked")
        var mappings = (Map<String, Object>) new SampleIndex().mappings();
        @SuppressWarnings("unchecked")
        Map<String, Object> properties = new LinkedHashMap<>((Map<String, Object>) mappings.get("properties"));
        properties.put("text", Map.of("type", "keyword"));
        properties.put("content", Map.of("type", "text"));
        Map<String, Object> all = new LinkedHashMap<>(mappings);
        all.put("properties", properties);
        return all;
    }
}
