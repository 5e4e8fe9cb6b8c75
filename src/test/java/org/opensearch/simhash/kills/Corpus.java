/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * An index, its archive, and the pipelines that write to it.
 *
 * @param index its name
 * @param verified whether texts are compared, too, by each pipeline and each job
 * @param pictures whether each document has a picture, of which the pipelines make its fingerprint
 */
record Corpus(String index, boolean verified, boolean pictures) {

    static final int DISTANCE = 3;
    static final List<String> ACTIONS = List.of("drop", "fail", "tag");

    /** Of pipelines that find no near-duplicates. */
    private static final String NONE = "none";

    private static final int SHARDS = 4;
    private static final List<String> REFRESH = List.of("100ms", "1s", "30s");

    /** Of texts with ready fingerprints. */
    Corpus(String index, boolean verified) {
        this(index, verified, false);
    }

    String archive() {
        return index + "-removed";
    }

    /** @param action {@code none} for fingerprints only */
    String pipeline(String action) {
        return action.equals(NONE) && pictures == false ? "_none" : index + "-" + action;
    }

    private List<Object> processors(List<Object> last) {
        if (pictures == false) {
            return last;
        }
        List<Object> processors = new ArrayList<>();
        processors.add(Map.of("image_hash", Map.of("field", Text.PICTURE, "ignore_missing", true)));
        processors.addAll(last);
        return processors;
    }

    private void put(RestClient client, String action, List<Object> last) {
        var pipeline = Map.of("processors", processors(last));
        client.must("PUT", "/_ingest/pipeline/" + pipeline(action), Json.write(pipeline));
    }

    /** For the options of a processor or a job: the rule by which texts are near. */
    Map<String, Object> rule() {
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("max_distance", DISTANCE);
        if (verified) {
            rule.put("verify", Map.of("field", "content", "min_similarity", 0.8));
        } else {
            rule.put("verify", false);
        }
        return rule;
    }

    /** Of any number of shards that refresh at any interval. */
    void create(RestClient client, int replicas, RandomGenerator random) {
        boolean isOfSegments = replicas > 0 && random.nextInt(3) == 0;
        String refresh = REFRESH.get(random.nextInt(REFRESH.size()));
        create(client, 1 + random.nextInt(SHARDS), replicas, isOfSegments, refresh);
    }

    void create(RestClient client, int shards, int replicas, String refreshInterval) {
        create(client, shards, replicas, false, refreshInterval);
    }

    private void create(RestClient client, int shards, int replicas, boolean isOfSegments, String refreshInterval) {
        for (String action : ACTIONS) {
            Map<String, Object> options = new LinkedHashMap<>(rule());
            options.put("action", action);
            put(client, action, List.of(Map.of("near_duplicate", options)));
        }
        if (pictures) {
            put(client, NONE, List.of());
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("number_of_shards", shards);
        settings.put("number_of_replicas", replicas);
        settings.put("refresh_interval", refreshInterval);
        if (pictures) {
            settings.put("default_pipeline", pipeline(NONE)); // An update has no other one.
        }
        if (isOfSegments) {
            settings.put("replication.type", "SEGMENT");
        }
        client.must("PUT", "/" + index, Json.write(Map.of("settings", settings, "mappings", mappings())));
        client.must("GET", "/_cluster/health/" + index + "*?wait_for_status=green&timeout=60s", null);
    }

    void delete(RestClient client) {
        client.must(
                "DELETE", "/" + index + "," + index + "-*?ignore_unavailable=true&cluster_manager_timeout=5m", null);
        client.must("DELETE", "/_ingest/pipeline/" + index + "-*?cluster_manager_timeout=5m", null);
    }

    private static Map<String, Object> mappings() {
        @SuppressWarnings("unchecked")
        var mappings = (Map<String, Object>) new SampleIndex().mappings();
        @SuppressWarnings("unchecked")
        Map<String, Object> properties = new LinkedHashMap<>((Map<String, Object>) mappings.get("properties"));
        properties.put("text", Map.of("type", "keyword"));
        properties.put("content", Map.of("type", "text"));
        properties.put(Text.PICTURE, Map.of("type", "binary"));
        Map<String, Object> all = new LinkedHashMap<>(mappings);
        all.put("properties", properties);
        return all;
    }
}
