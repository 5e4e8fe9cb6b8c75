/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job's number of documents a second is changed while it runs, on whichever node it runs. */
@RealNodes(3)
class RethrottleIT {

    private static final String INDEX = "slow";
    private static final int DOCUMENTS = 20;

    private final RealCluster cluster;
    private final RestClient client;

    RethrottleIT(RealCluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    @BeforeEach
    void fill() {
        client.must(
                "PUT",
                "/" + INDEX,
                Json.write(
                        Map.of("settings", Map.of("number_of_replicas", 0), "mappings", new SampleIndex().mappings())));
        var bulk = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i++) {
            bulk.append("{\"index\":{\"_id\":\"" + i + "\"}}\n{\"simhash\":{\"bits\":7,\"scheme\":\"v1-a\"}}\n");
        }
        Answer answer = client.must("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
        assertEquals(false, answer.at("errors"));
    }

    @AfterEach
    void remove() {
        client.send("POST", "/_tasks/_cancel?actions=*simhash*&wait_for_completion=true", null);
        client.send("DELETE", "/" + INDEX, null);
    }

    @Test
    void testAJobThatWaitsForItsTurnGoesOnAtOnce() {
        // One document, and the next one eleven days later.
        String task = start("requests_per_second=0.000001");
        DeletingJob.await(() -> waitsForTheSecond(task));
        Answer answer = rethrottle(1, task, "?requests_per_second=-1");
        assertEquals(200, answer.status(), answer.text());
        String node = task.substring(0, task.indexOf(':'));
        Map<?, ?> tasks = (Map<?, ?>) ((Map<?, ?>) ((Map<?, ?>) answer.json().get("nodes")).get(node)).get("tasks");
        assertEquals(-1.0, Json.at(tasks.get(task), "status.requests_per_second"), answer.text());
        Answer done = client.must("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=60s", null);
        assertEquals(true, done.at("completed"));
        assertEquals(DOCUMENTS - 1, done.number("response.tagged"), done.text());
    }

    @Test
    void testWhatCannotBeRethrottled() {
        String task = start("requests_per_second=0.000001");
        String node = task.substring(0, task.indexOf(':'));
        String range = "[requests_per_second] must be greater than 0, or -1 for no limit, got: ";
        assertRefused(400, range + "nothing", task, "");
        assertRefused(400, range + "0.0", task, "?requests_per_second=0");
        assertRefused(400, range + "NaN", task, "?requests_per_second=NaN");
        assertRefused(400, "[requests_per_second]", task, "?requests_per_second=fast");
        assertRefused(400, "[task] must be the id of a job, node:number, got: 17", "17", "?requests_per_second=1");
        assertRefused(400, "[task] must be the id of a job, node:number, got: docs", "docs", "?requests_per_second=1");
        assertRefused(404, "task [" + node + ":999999999]", node + ":999999999", "?requests_per_second=1");
        assertRefused(404, "nowhere", "nowhere:1", "?requests_per_second=1");
        Answer there = client.must("GET", "/_tasks/" + task, null);
        assertEquals(0.000001, ((Number) there.at("task.status.requests_per_second")).doubleValue(), 1e-9);
    }

    /** One document is written, and the thread of the next one waits: the status alone does not tell whether it does already. */
    private boolean waitsForTheSecond(String task) {
        Answer job = cluster.client(1).must("GET", "/_tasks/" + task, null);
        assertEquals(false, job.at("completed"), job.text());
        assertEquals(0.000001, ((Number) job.at("task.status.requests_per_second")).doubleValue(), 1e-9);
        if (job.number("task.status.written") == 0) {
            return false;
        }
        assertEquals(1, job.number("task.status.written"), job.text());
        String node = task.substring(0, task.indexOf(':'));
        String threads = "/hot_threads?type=wait&ignore_idle_threads=false&threads=10000&snapshots=1&interval=10ms";
        return client.must("GET", "/_nodes/" + node + threads, null).text().contains("Retries.waitUntil");
    }

    private String start(String parameters) {
        Answer started = client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + INDEX + "?wait_for_completion=false&" + parameters,
                "{\"action\":\"tag\"}");
        return started.string("task");
    }

    private Answer rethrottle(int node, String task, String parameters) {
        return cluster.client(node)
                .send("POST", "/_plugins/_simhash/deduplicate/" + task + "/_rethrottle" + parameters, null);
    }

    private void assertRefused(int status, String reason, String task, String parameters) {
        for (int node = 0; node < 3; node++) {
            Answer answer = rethrottle(node, task, parameters);
            assertEquals(status, answer.status(), answer.text());
            assertTrue(answer.text().contains(reason), reason + " expected, got: " + answer.text());
        }
    }
}
