/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each node counts for itself, and any of them answers for all. */
@RealNodes(3)
class StatsThreeNodesIT {

    private final RealCluster cluster;

    StatsThreeNodesIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testNodesAreAskedByName() {
        assertEquals(Set.of("node-0", "node-1", "node-2"), names("stats"));
        assertEquals(Set.of("node-1"), names("node-1/stats"));
        assertEquals(Set.of("node-0", "node-2"), names("node-0,node-2/stats/jobs"));
        assertEquals(Set.of("node-2"), names("_local/stats/jobs"));
        assertEquals(Set.of(), names("nobody/stats"));
    }

    @Test
    void testWhatTravelsIsInOrder() {
        Answer stats = cluster.client(2).must("GET", "/_plugins/_simhash/node-0/stats", null);
        assertEquals(1, stats.number("_nodes.total"));
        for (Object node : ((Map<?, ?>) stats.at("nodes")).values()) {
            assertEquals(
                    List.of("name", "fingerprints", "queries", "duplicates", "collapse", "jobs", "errors"),
                    List.copyOf(((Map<?, ?>) node).keySet()));
            assertEquals(
                    List.of(
                            "total",
                            "probes",
                            "candidates",
                            "scanned",
                            "compared",
                            "verified",
                            "matches",
                            "leaves_by_plan"),
                    List.copyOf(((Map<?, ?>) Json.at(node, "queries")).keySet()));
        }
    }

    @Test
    void testOneNodeTellsTheMetricsOfAll() {
        String up = "opensearch_simhash_node_up{node=\"node-%d\"}";
        Scrape all = Scrape.of(cluster.client(2), "/_plugins/_simhash/metrics?cluster=true");
        for (int node = 0; node < 3; node++) {
            assertEquals(1, all.value(String.format(Locale.ROOT, up, node)));
            assertEquals(
                    0, all.value("opensearch_simhash_jobs{node=\"node-" + node + "\",state=\"running\"}"), all.text());
        }
        Scrape two = Scrape.of(cluster.client(2), "/_plugins/_simhash/node-0,node-1/metrics");
        assertEquals(1, two.value(String.format(Locale.ROOT, up, 0)));
        assertEquals(1, two.value(String.format(Locale.ROOT, up, 1)));
        assertFalse(two.text().contains("node-2"), two.text());
        assertFalse(Scrape.of(cluster.client(2), "/_plugins/_simhash/metrics")
                .text()
                .contains("node="));
    }

    @Test
    void testTheNodeThatIngestsCounts() {
        long before = documents("node-1");
        long others = documents("node-0") + documents("node-2");
        cluster.client(1).must("PUT", "/_ingest/pipeline/stats", "{\"processors\":[{\"simhash\":{\"field\":\"a\"}}]}");
        cluster.client(1).must("PUT", "/docs-stats-3/_doc/1?pipeline=stats", "{\"a\":\"b\"}");
        assertEquals(before + 1, documents("node-1"));
        assertEquals(others, documents("node-0") + documents("node-2"));
        cluster.client(1).must("DELETE", "/docs-stats-3", null);
        cluster.client(1).must("DELETE", "/_ingest/pipeline/stats", null);
    }

    private long documents(String node) {
        Answer stats = cluster.client(0).must("GET", "/_plugins/_simhash/" + node + "/stats/fingerprints", null);
        Object only = ((Map<?, ?>) stats.at("nodes")).values().iterator().next();
        return ((Number) Json.at(only, "fingerprints.documents")).longValue();
    }

    private Set<String> names(String path) {
        Answer stats = cluster.client(2).must("GET", "/_plugins/_simhash/" + path, null);
        return ((Map<?, ?>) stats.at("nodes"))
                .values().stream().map(node -> (String) Json.at(node, "name")).collect(Collectors.toSet());
    }
}
