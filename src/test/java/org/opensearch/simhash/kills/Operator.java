/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/**
 * Does to indices what their operator may do at any time, and what loses nothing: hands a primary to its replica, moves a shard
 * to another node, adds replicas and takes them away, closes an index and opens it again, flushes, merges, makes the index behind an
 * alias anew. On one node only the last three.
 */
final class Operator implements Runnable {

    private static final int PAUSE_MILLIS = 3_000;

    private final Load load;
    private final List<Rebuild> rebuilds;
    private final boolean isAlone;
    private final RandomGenerator random;

    /** @param isAlone whether there is one node */
    Operator(Load load, List<Rebuild> rebuilds, boolean isAlone, RandomGenerator random) {
        this.load = load;
        this.rebuilds = rebuilds;
        this.isAlone = isAlone;
        this.random = random;
    }

    @Override
    public void run() {
        while (load.goesOn(random, PAUSE_MILLIS)) {
            Rebuild rebuild = rebuilds.get(random.nextInt(rebuilds.size()));
            String index = rebuild.corpus().index();
            RestClient client = load.client(random);
            try {
                rebuild.finish(client);
                switch (isAlone ? 6 + random.nextInt(5) : random.nextInt(11)) {
                    case 0, 1 -> reroute(client, index, "cancel");
                    case 2, 3 -> reroute(client, index, "move");
                    case 4 -> {
                        int replicas = 1 + random.nextInt(2);
                        client.send("PUT", "/" + index + "/_settings", "{\"number_of_replicas\":" + replicas + "}");
                    }
                    case 5 -> {
                        try {
                            client.send("POST", "/" + index + "/_close?timeout=10s", null);
                        } finally {
                            open(index);
                        }
                    }
                    case 6 ->
                        client.send("POST", "/" + index + (random.nextBoolean() ? "/_flush" : "/_forcemerge"), null);
                    default -> rebuild.run(client, load.history(), random);
                }
            } catch (UncheckedIOException | IllegalStateException killed) {
                Thread.onSpinWait();
            }
        }
    }

    /** However often nodes fail meanwhile: it is the only one that closes. */
    private void open(String index) {
        while (true) {
            try {
                if (load.client(random)
                        .send("POST", "/" + index + "/_open", null)
                        .ok()) {
                    return;
                }
            } catch (UncheckedIOException killed) {
                Thread.onSpinWait();
            }
        }
    }

    /** Of one shard with its primary on any node: of the index, or of what its people decided. */
    private void reroute(RestClient client, String alias, String command) {
        Answer state = client.get("/_cluster/state/routing_table,nodes/" + alias + "," + alias + "-groups");
        if (state.ok() == false || state.at("routing_table.indices") == null) {
            return;
        }
        Map<?, ?> nodes = (Map<?, ?>) state.at("nodes");
        Map<?, ?> indices = (Map<?, ?>) state.at("routing_table.indices");
        if (indices.isEmpty()) {
            return;
        }
        Object index = List.copyOf(indices.keySet()).get(random.nextInt(indices.size()));
        Object shards = Json.at(indices.get(index), "shards");
        List<List<?>> all = ((Map<?, ?>) shards)
                .values().stream().<List<?>>map(List.class::cast).toList();
        List<?> copies = all.get(random.nextInt(all.size()));
        List<String> holders = copies.stream()
                .map(copy -> String.valueOf(Json.at(copy, "node")))
                .toList();
        List<?> free = nodes.keySet().stream()
                .filter(node -> holders.contains(node) == false)
                .toList();
        for (Object copy : copies) {
            boolean isPrimary = Boolean.TRUE.equals(Json.at(copy, "primary"));
            Object number = Json.at(copy, "shard");
            Object node = Json.at(copy, "node");
            boolean isStarted = node != null && "STARTED".equals(Json.at(copy, "state"));
            if (isPrimary == false || isStarted == false || (command.equals("move") && free.isEmpty())) {
                continue;
            }
            Map<String, Object> how = command.equals("move")
                    ? Map.of("index", index, "shard", number, "from_node", node, "to_node", free.getFirst())
                    : Map.of("index", index, "shard", number, "node", node, "allow_primary", true);
            client.send("POST", "/_cluster/reroute", Json.write(Map.of("commands", List.of(Map.of(command, how)))));
        }
    }
}
