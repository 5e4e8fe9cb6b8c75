/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.fingerprint.Fingerprint;

/** Passes on several nodes find what one node finds, whatever happens to documents meanwhile. */
@RealNodes(3)
class DeduplicateThreeNodesIT {

    private static final String INDEX = "spread";
    private static final int DOCUMENTS = 3_000;

    private final RestClient client;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    DeduplicateThreeNodesIT(RealCluster cluster) {
        this.client = cluster.client();
    }

    @AfterEach
    void remove() {
        setting("plugins.simhash.deduplicate.memory", "null");
        setting("plugins.simhash.deduplicate.disk", "null");
        for (String index : List.of(INDEX, "groups", "gone")) {
            client.send("DELETE", "/" + index, null);
        }
    }

    @Test
    void testPassesOnSeveralNodesFindTheSameGroups() {
        fill();
        for (String linkage : List.of("survivor", "chain")) {
            Set<String> alone = groups(linkage, 1);
            assertTrue(alone.size() > 100, "groups: " + alone.size());
            setting("plugins.simhash.deduplicate.memory", "\"16kb\"");
            assertEquals(alone, groups(linkage, 1), linkage + " in files");
            setting("plugins.simhash.deduplicate.disk", "\"0b\"");
            setting("plugins.simhash.deduplicate.memory", "\"80kb\"");
            assertEquals(alone, groups(linkage, 2), linkage);
            // Many more passes.
            setting("plugins.simhash.deduplicate.memory", "\"16kb\"");
            assertEquals(alone, groups(linkage, 2), linkage);
            setting("plugins.simhash.deduplicate.memory", "null");
            setting("plugins.simhash.deduplicate.disk", "null");
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "tests.night",
            matches = "true",
            disabledReason = "a job must still write when the documents change")
    void testDocumentsThatChangeMeanwhileStay() {
        fill();
        String task = client.must(
                        "POST",
                        "/_plugins/_simhash/deduplicate/" + INDEX
                                + "?wait_for_completion=false&requests_per_second=300",
                        "{\"action\":\"delete\",\"verify\":false,\"archive\":{\"index\":\"gone\"}}")
                .string("task");
        DeletingJob.await(() -> {
            Answer status = client.must("GET", "/_tasks/" + task, null);
            assertFalse((boolean) status.at("completed"), status.text());
            return status.string("task.status.phase").equals("write");
        });
        List<String> changed = new ArrayList<>();
        var bulk = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i += 2) {
            bulk.append("{\"update\":{\"_id\":\"" + i + "\"}}\n{\"doc\":{\"changed\":true}}\n");
        }
        Answer answer = client.must("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
        for (Object item : (List<?>) answer.at("items")) {
            if (Json.at(item, "update.status").equals(200)) {
                changed.add((String) Json.at(item, "update._id"));
            }
        }
        Answer done = client.must("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=120s", null);
        assertTrue(done.number("response.version_conflicts") > 0, done.text());
        client.must("POST", "/" + INDEX + "/_refresh", null);
        Set<String> left = new TreeSet<>();
        client.must("POST", "/" + INDEX + "/_search", "{\"size\":10000,\"query\":{\"term\":{\"changed\":true}}}")
                .ids()
                .forEach(left::add);
        assertEquals(new TreeSet<>(changed), left, "what changed is never deleted");
        long count = client.must("GET", "/" + INDEX + "/_count", null).number("count");
        assertEquals(DOCUMENTS, count + done.number("response.deleted"));
    }

    private void setting(String name, String value) {
        client.must("PUT", "/_cluster/settings", "{\"transient\":{\"" + name + "\":" + value + "}}");
    }

    private Set<String> groups(String linkage, int leastPasses) {
        client.send("DELETE", "/groups", null);
        Answer answer = client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + INDEX,
                "{\"linkage\":\"" + linkage + "\",\"max_distance\":4,\"dest\":{\"index\":\"groups\"}}");
        assertTrue(answer.number("passes") >= leastPasses, answer.text());
        Set<String> groups = new TreeSet<>();
        client.must("POST", "/groups/_search", "{\"size\":10000}").hits().forEach(hit -> {
            Set<Object> members = new TreeSet<>();
            ((List<?>) Json.at(hit, "_source.members")).forEach(member -> members.add(Json.at(member, "id")));
            groups.add(Json.at(hit, "_source.survivor.id") + " " + members);
        });
        return groups;
    }

    private void fill() {
        Object mappings = new SampleIndex().mappings();
        Map<String, Object> settings = Map.of("number_of_shards", 4, "number_of_replicas", 0);
        client.must("PUT", "/" + INDEX, Json.write(Map.of("settings", settings, "mappings", mappings)));
        var random = new SplittableRandom(seed.value());
        long[] values = new long[DOCUMENTS];
        var bulk = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i++) {
            values[i] = random.nextLong();
            if (i > 0 && random.nextBoolean()) {
                values[i] = values[random.nextInt(i)];
                for (int flips = random.nextInt(4); flips > 0; flips--) {
                    values[i] ^= 1L << random.nextInt(Long.SIZE);
                }
            }
            bulk.append("{\"index\":{\"_id\":\"" + i + "\"}}\n");
            bulk.append("{\"simhash\":{\"hash\":\"" + Fingerprint.toHex(values[i]) + "\",\"bits\":" + values[i]
                    + ",\"digest\":\""
                    + String.format(Locale.ROOT, "%032x", i / 2 * 2 + random.nextInt(20))
                    + "\",\"features\":20,\"scheme\":\"given-a\"}}\n");
        }
        Answer answer = client.must("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
        assertEquals(false, answer.at("errors"));
        client.must("GET", "/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=60s", null);
    }
}
