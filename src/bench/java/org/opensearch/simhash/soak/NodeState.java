/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** What the nodes hold: memory, threads, open searches. */
final class NodeState {

    private final List<Object> nodes = new ArrayList<>();

    NodeState(RestClient client) {
        var stats = (Map<?, ?>) client.must("GET", "/_nodes/stats/jvm,breaker,indices/search", null)
                .at("nodes");
        nodes.addAll(stats.values());
    }

    /**
     * Searches that are open on all nodes, those of points in time among them. (The count of points in time alone is no help: it
     * keeps for good those that a shard had when it was closed.)
     */
    long open() {
        return sum("indices.search.open_contexts");
    }

    /** Bytes that requests and jobs have taken of the breaker for requests, on all nodes. */
    long requestBytes() {
        return sum("breakers.request.estimated_size_in_bytes");
    }

    private long sum(String path) {
        return nodes.stream()
                .mapToLong(node -> ((Number) Json.at(node, path)).longValue())
                .sum();
    }

    /** A line to print. */
    @Override
    public String toString() {
        var line = new StringBuilder();
        for (Object node : nodes) {
            line.append(String.format(
                    Locale.ROOT,
                    "%s: heap %s %%, %s threads, breakers: requests %s, simhash %s, open searches %s; ",
                    Json.at(node, "name"),
                    Json.at(node, "jvm.mem.heap_used_percent"),
                    Json.at(node, "jvm.threads.count"),
                    Json.at(node, "breakers.request.estimated_size"),
                    Json.at(node, "breakers.simhash.estimated_size"),
                    Json.at(node, "indices.search.open_contexts")));
        }
        return line.toString();
    }
}
