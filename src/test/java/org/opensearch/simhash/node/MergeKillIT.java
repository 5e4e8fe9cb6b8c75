/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.fingerprint.Fingerprint;

/**
 * The node dies ({@code kill -9}) while a job merges values into survivors, while it deletes their duplicates, or while these are
 * restored: no value is lost, and a restore puts back what there was, byte for byte.
 */
@RealNodes(value = 1, takesLong = true)
class MergeKillIT {

    private static final int GROUPS = 500;
    private static final NodeOptions OPTIONS = NodeOptions.quick(1);

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final RealCluster cluster;

    MergeKillIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testAMergeThatIsKilledIsRestoredByteForByte() {
        Random random = new Random(seed.value());
        // Some 450 survivors are written, then 1,000 duplicates are deleted.
        kill("merge-first", 50 + random.nextInt(300), random);
        kill("merge-last", 600 + random.nextInt(700), random);
    }

    @Test
    void testARestoreThatIsKilledIsRestoredByteForByte() {
        Random random = new Random(seed.value());
        String index = "restored";
        fill(index, random);
        Map<String, String> before = sources(index);
        String run = cluster.client().must("POST", path(index), job(index)).string("run");
        assertEquals(GROUPS, sources(index).size(), "a survivor of each group");
        for (int kills = 0; kills < 2; kills++) {
            int written = 50 + random.nextInt(500);
            killed(path(index) + "/restore", restoration(index, run), written, index);
            assertNotEquals(before, sources(index), "not all is back");
        }
        restore(index, run, before);
    }

    private void kill(String index, int written, Random random) {
        fill(index, random);
        Map<String, String> before = sources(index);
        Map<String, Set<Object>> values = values(index);
        String run = killed(path(index), job(index), written, index);
        assertNotEquals(before, sources(index), "something was written");
        assertEquals(values, values(index), "no value is lost");
        restore(index, run, before);
    }

    /** Kills the node once so many documents are written; the run of the job. */
    private String killed(String path, String body, int written, String index) {
        String task = cluster.client()
                .must("POST", path + "?wait_for_completion=false&requests_per_second=400", body)
                .string("task");
        DeletingJob.await(() -> status(task).number("task.status.written") >= written);
        String run = status(task).string("task.status.run");
        cluster.kill(0);
        cluster.restart(0, OPTIONS);
        cluster.client().must("GET", "/_cluster/health/" + index + "*?wait_for_status=yellow&timeout=120s", null);
        cluster.client().must("POST", "/" + index + "*/_refresh", null);
        return run;
    }

    private void restore(String index, String run, Map<String, String> before) {
        Answer restored = cluster.client().send("POST", path(index) + "/restore", restoration(index, run));
        assertTrue(restored.ok(), restored.toString());
        assertEquals(before, sources(index), restored.toString());
    }

    private static String path(String index) {
        return "/_plugins/_simhash/deduplicate/" + index;
    }

    private static String job(String index) {
        return "{\"action\":\"delete\",\"verify\":false,\"max_distance\":0,\"merge\":[\"custodian\"],"
                + "\"archive\":{\"index\":\"" + index + "-removed\"}}";
    }

    private static String restoration(String index, String run) {
        return "{\"run\":\"" + run + "\",\"archive\":{\"index\":\"" + index + "-removed\"}}";
    }

    private Answer status(String task) {
        return cluster.client().must("GET", "/_tasks/" + task, null);
    }

    private void fill(String index, Random random) {
        cluster.client()
                .must(
                        "PUT",
                        "/" + index,
                        Json.write(Map.of(
                                "settings",
                                Map.of("number_of_shards", 2, "number_of_replicas", 0),
                                "mappings",
                                Map.of("properties", Map.of("custodian", Map.of("type", "keyword"))))));
        StringBuilder bulk = new StringBuilder();
        for (int group = 0; group < GROUPS; group++) {
            long bits = random.nextLong();
            for (int member = 0; member < 3; member++) {
                String custodian = random.nextInt(5) == 0
                        ? "\"c" + random.nextInt(4) + "\""
                        : "[ \"c" + random.nextInt(9) + "\",\"d" + random.nextInt(9) + "\" ]";
                bulk.append("{\"index\":{\"_id\":\"" + group + "-" + member + "\"}}\n");
                bulk.append("{\"custodian\" : " + custodian + ", \"price\":1.10,\"simhash\":{\"hash\":\""
                        + Fingerprint.toHex(bits) + "\",\"bits\":" + bits + ",\"scheme\":\"given-a\"}}\n");
            }
        }
        cluster.client().must("POST", "/" + index + "/_bulk?refresh=true", bulk.toString());
    }

    /** Byte for byte, as the answer repeats them. */
    private Map<String, String> sources(String index) {
        cluster.client().must("POST", "/" + index + "/_refresh", null);
        String text = cluster.client()
                .must("GET", "/" + index + "/_search?size=10000&filter_path=hits.hits._id,hits.hits._source", null)
                .text();
        Map<String, String> sources = new TreeMap<>();
        String id = "{\"_id\":\"";
        for (int at = text.indexOf(id); at >= 0; ) {
            int next = text.indexOf(id, at + 1);
            String hit = text.substring(at, next < 0 ? text.length() : next).replaceAll("[\\]},]+$", "");
            sources.put(hit.substring(id.length(), hit.indexOf('"', id.length())), hit);
            at = next;
        }
        return sources;
    }

    /** Of each group. */
    private Map<String, Set<Object>> values(String index) {
        Map<String, Set<Object>> values = new HashMap<>();
        for (Map<String, Object> hit : cluster.client()
                .must("GET", "/" + index + "/_search?size=10000", null)
                .hits()) {
            Object custodian = ((Map<?, ?>) hit.get("_source")).get("custodian");
            values.computeIfAbsent(((String) hit.get("_id")).split("-", -1)[0], any -> new TreeSet<>())
                    .addAll(custodian instanceof List<?> several ? several : new HashSet<>(Set.of(custodian)));
        }
        return values;
    }
}
