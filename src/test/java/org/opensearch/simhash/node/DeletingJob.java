/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.opensearch.simhash.core.fingerprint.Fingerprint;

/**
 * A job that deletes the near-duplicates of an index into an archive, on three nodes, of which the first coordinates it and one
 * is killed meanwhile.
 */
final class DeletingJob {

    static final int COORDINATING = 0;

    private static final int BULK = 5_000;
    private static final long PATIENCE_MILLIS = 240_000;
    private static final long PAUSE_NANOS = 10_000_000;

    private final RealCluster cluster;
    private final String index;
    private final String archive;
    private final int distance;
    /** A node that stays. */
    private int asked = 2;

    private String task;

    DeletingJob(RealCluster cluster, String index, int distance) {
        this.cluster = cluster;
        this.index = index;
        this.archive = index + "-removed";
        this.distance = distance;
    }

    /** Makes the index: three shards, each with a replica. */
    void fill(int documents, LongSupplier fingerprints) {
        Object mappings = new SampleIndex().mappings();
        Map<String, Object> settings = Map.of("number_of_shards", 3, "number_of_replicas", 1);
        RestClient client = cluster.client(asked);
        client.must("PUT", "/" + index, Json.write(Map.of("settings", settings, "mappings", mappings)));
        for (int from = 0; from < documents; from += BULK) {
            var bulk = new StringBuilder();
            for (int i = from; i < Math.min(from + BULK, documents); i++) {
                bulk.append("{\"index\":{\"_id\":\"" + i + "\"}}\n");
                long bits = fingerprints.getAsLong();
                bulk.append("{\"simhash\":{\"hash\":\"" + Fingerprint.toHex(bits) + "\",\"bits\":" + bits
                        + ",\"scheme\":\"given-a\"}}\n");
            }
            Answer answer = client.must("POST", "/" + index + "/_bulk?filter_path=errors", bulk.toString());
            if ((boolean) answer.at("errors")) {
                throw new IllegalStateException("documents were refused");
            }
        }
        client.must("POST", "/" + index + "/_refresh", null);
        // All of them: what a node that is killed next has alone is gone.
        client.must("GET", "/_cluster/health/" + index + "?wait_for_status=green&timeout=240s", null);
    }

    /**
     * Runs until it succeeds.
     *
     * @throws IllegalStateException with the last answer when it does not
     */
    RemovalState run() {
        var last = new AtomicReference<Answer>();
        try {
            await(() -> {
                last.set(cluster.client(asked).send("POST", path(""), body("delete", archive)));
                return last.get().ok();
            });
        } catch (IllegalStateException e) {
            throw new IllegalStateException("no run succeeds: " + last.get(), e);
        }
        return state();
    }

    /** Starts it on the first node. */
    void start(int requestsPerSecond) {
        String options = "?wait_for_completion=false&requests_per_second=" + requestsPerSecond;
        task = cluster.client(COORDINATING)
                .must("POST", path(options), body("delete", archive))
                .string("task");
    }

    /** What the first node knows of it. */
    Answer status() {
        return cluster.client(COORDINATING).must("GET", "/_tasks/" + task, null);
    }

    /** Passes and searches, by node. */
    Answer passes() {
        return cluster.client(COORDINATING)
                .must("GET", "/_tasks?actions=*simhash/pairs,indices:data/read/search&detailed", null);
    }

    /** Ends it, if it has not ended. */
    void cancel() {
        cluster.client(COORDINATING).send("POST", "/_tasks/" + task + "/_cancel?wait_for_completion=true", null);
    }

    void kill(int victim) {
        cluster.kill(victim);
        asked = victim == 2 ? 1 : 2;
    }

    /** What there is when the others know that a node is gone, and nothing of the job runs any more. */
    RemovalState settled() {
        RestClient client = cluster.client(asked);
        await(() -> client.get("/_cluster/health?wait_for_nodes=2&timeout=10s").ok());
        await(() -> {
            Answer tasks = client.get("/_tasks?actions=*simhash*");
            return tasks.ok() && tasks.at("node_failures") == null && Map.of().equals(tasks.at("nodes"));
        });
        await(() -> client.get("/_cluster/health/" + index + "*?wait_for_status=yellow&timeout=10s")
                .ok());
        return state();
    }

    /** What became of the job that lost a node. */
    String outcome() {
        Answer result = cluster.client(asked).get("/_tasks/" + task);
        if (result.ok() == false) {
            return "gone";
        }
        return result.at("error") == null ? "went on" : "failed";
    }

    /** How many documents have a near-duplicate that stays. */
    long duplicates() {
        return cluster.client(asked)
                .must("POST", path(""), body("report", null))
                .number("duplicates");
    }

    /**
     * Waits, and asks now and then: those who do the work need the processors.
     *
     * @throws IllegalStateException after two minutes
     */
    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        while (condition.getAsBoolean() == false) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("waited too long");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private String path(String options) {
        return "/_plugins/_simhash/deduplicate/" + index + options;
    }

    private String body(String action, String archiveIndex) {
        Map<String, Object> options = new TreeMap<>(Map.of("action", action, "max_distance", distance));
        if (archiveIndex != null) {
            options.put("verify", false);
            options.put("archive", Map.of("index", archiveIndex));
        }
        return Json.write(options);
    }

    private RemovalState state() {
        return RemovalState.read(cluster.client(asked), index, archive);
    }
}
