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
 * An index behind an alias, its archive, the groups of its jobs, and the pipelines that write to it.
 *
 * @param index the alias: the only name that clients know
 * @param verified whether pipelines make the fingerprints of texts, and texts are compared, too, by each pipeline and each job
 * @param pictures whether each document has a picture, of which the pipelines make its fingerprint
 */
record Corpus(String index, boolean verified, boolean pictures) {

    static final int DISTANCE = 3;

    /** Of texts. */
    static final int TEXT_DISTANCE = 11;

    /** What each document has one value of, its id, until a job with {@code merge} gives it those of others. */
    static final String OWNERS = "owners";

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

    /** Where jobs write their groups, and people their decisions about them. */
    String groups() {
        return index + "-groups";
    }

    /** One index after the other is behind the alias. */
    String version(int number) {
        return index + "-v" + number;
    }

    /** Whether its jobs merge values when they archive. */
    boolean merges() {
        return verified;
    }

    /** The document that a client sends. */
    Map<String, Object> source(Text text) {
        return pictures ? text.pictured() : verified ? text.written() : text.source();
    }

    /** Whether pipelines make fingerprints; otherwise documents have them. */
    private boolean isMade() {
        return pictures || verified;
    }

    /** @param action {@code none} for fingerprints only */
    String pipeline(String action) {
        return action.equals(NONE) && isMade() == false ? "_none" : index + "-" + action;
    }

    private List<Object> processors(List<Object> last) {
        List<Object> processors = new ArrayList<>();
        if (pictures) {
            processors.add(Map.of("image_hash", Map.of("field", Text.PICTURE, "ignore_missing", true)));
        } else if (verified) {
            // Documents that only fill a request are near to each other: they have no fingerprint.
            processors.add(Map.of("simhash", Map.of("field", "content", "if", "ctx.text != null")));
            processors.add(
                    Map.of("remove", Map.of("field", "simhash", "ignore_missing", true, "if", "ctx.text == null")));
        }
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
        rule.put("max_distance", verified ? TEXT_DISTANCE : DISTANCE);
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
        if (isMade()) {
            put(client, NONE, List.of());
        }
        create(client, version(1), shards, replicas, isOfSegments, refreshInterval, Map.of(index, Map.of()));
        client.must("GET", "/_cluster/health/" + index + "*?wait_for_status=green&timeout=60s", null);
    }

    /** Another index as that behind the alias, which is not behind it yet. */
    void createVersion(RestClient client, int number, int replicas, RandomGenerator random) {
        String refresh = REFRESH.get(random.nextInt(REFRESH.size()));
        create(client, version(number), 1 + random.nextInt(SHARDS), replicas, false, refresh, Map.of());
    }

    private void create(
            RestClient client,
            String name,
            int shards,
            int replicas,
            boolean isOfSegments,
            String refreshInterval,
            Map<String, ?> aliases) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("number_of_shards", shards);
        settings.put("number_of_replicas", replicas);
        settings.put("refresh_interval", refreshInterval);
        if (isMade()) {
            settings.put("default_pipeline", pipeline(NONE)); // An update has no other one.
        }
        if (isOfSegments) {
            settings.put("replication.type", "SEGMENT");
        }
        var parts = Map.of("settings", settings, "mappings", mappings(), "aliases", aliases);
        client.must("PUT", "/" + name, Json.write(parts));
    }

    void delete(RestClient client) {
        client.must("DELETE", "/" + index + "-*?cluster_manager_timeout=5m", null);
        client.must("DELETE", "/_ingest/pipeline/" + index + "-*?cluster_manager_timeout=5m", null);
    }

    private static Map<String, Object> mappings() {
        @SuppressWarnings("unchecked")
        var mappings = (Map<String, Object>) new SampleIndex().mappings();
        @SuppressWarnings("unchecked")
        Map<String, Object> properties = new LinkedHashMap<>((Map<String, Object>) mappings.get("properties"));
        properties.put("text", Map.of("type", "keyword"));
        properties.put(OWNERS, Map.of("type", "keyword"));
        properties.put("content", Map.of("type", "text"));
        properties.put(Text.PICTURE, Map.of("type", "binary"));
        Map<String, Object> all = new LinkedHashMap<>(mappings);
        all.put("properties", properties);
        return all;
    }
}
