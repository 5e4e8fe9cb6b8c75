/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** A point in time of an index, and all documents in it: what a query has to find there can be computed. */
final class Snapshot implements AutoCloseable {

    private static final int PAGE = 10_000;
    private static final String KEEP_ALIVE = "1m";

    private final RestClient client;
    private final String pointInTime;
    private final List<Stored> documents;

    private Snapshot(RestClient client, String pointInTime, List<Stored> documents) {
        this.client = client;
        this.pointInTime = pointInTime;
        this.documents = documents;
    }

    /** Opens a point in time and reads it; all shards have to answer, here and in all searches. */
    static Snapshot open(RestClient client, String index) {
        String path = "/" + index + "/_search/point_in_time?allow_partial_pit_creation=false&keep_alive=" + KEEP_ALIVE;
        String pointInTime = client.must("POST", path, null).string("pit_id");
        List<Stored> documents = new ArrayList<>();
        var snapshot = new Snapshot(client, pointInTime, documents);
        Answer all = snapshot.search(Map.of("match_all", Map.of()), Stored.SOURCE);
        if (all.number("hits.total.value") != all.hits().size()) {
            throw new IllegalArgumentException("more documents than fit one page");
        }
        all.hits().forEach(hit -> documents.add(Stored.of(hit)));
        return snapshot;
    }

    List<Stored> documents() {
        return documents;
    }

    /**
     * Searches for near-duplicates and compares the answer with all documents.
     *
     * @param query options of the {@code simhash} query but for the distance
     * @param distance of a document from what is asked for
     */
    void check(Map<String, Object> query, int maxDistance, ToIntFunction<Stored> distance, Findings findings) {
        Map<String, Object> options = new LinkedHashMap<>(query);
        options.put("max_distance", maxDistance);
        Map<String, Integer> expected = new TreeMap<>();
        for (Stored document : documents) {
            if (distance.applyAsInt(document) <= maxDistance) {
                expected.put(document.id(), distance.applyAsInt(document));
            }
        }
        Map<String, Integer> found = new TreeMap<>();
        for (Map<String, Object> hit :
                search(Map.of("simhash", options), List.of()).hits()) {
            double score = ((Number) hit.get("_score")).doubleValue();
            found.put((String) hit.get("_id"), (int) Math.round((1 - score) * Long.SIZE));
        }
        findings.count("searches", 1);
        findings.count("found", found.size());
        findings.check(expected.equals(found), "query " + options + " expected " + expected + " found " + found);
    }

    @Override
    public void close() {
        client.must("DELETE", "/_search/point_in_time", Json.write(Map.of("pit_id", List.of(pointInTime))));
    }

    private Answer search(Map<String, Object> query, List<String> source) {
        Map<String, Object> search = new LinkedHashMap<>();
        search.put("pit", Map.of("id", pointInTime, "keep_alive", KEEP_ALIVE));
        search.put("query", query);
        search.put("size", PAGE);
        search.put("track_total_hits", true);
        search.put("_source", source);
        return client.must("POST", "/_search?allow_partial_search_results=false", Json.write(search));
    }
}
