/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Three real nodes, an index of three shards, all ingest: what {@code near_duplicate} catches when nodes ask one another's windows, and
 * what that costs beside {@code window.nodes: local}, in turns. Then one node is killed in the middle. Arguments: documents of a
 * round, documents of a bulk request, rounds, and which of {@code tag}, {@code drop}, {@code kill}; all by default.
 */
public final class NearDuplicateNodes {

    private static final int NODES = 3;
    private static final String SETTING = "plugins.simhash.near_duplicate.window.nodes";

    private NearDuplicateNodes() {}

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int documents = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int bulk = args.length > 1 ? Integer.parseInt(args[1]) : 1_000;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 3;
        List<String> runs = args.length > 3 ? List.of(args).subList(3, args.length) : List.of("tag", "drop", "kill");
        NodeOptions three = NodeOptions.production(NODES, "1g");
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), three)) {
            // The nodes compile what they run often.
            run(cluster, "all", Math.min(documents, 50_000), bulk, "tag", 99);
            for (String run : runs) {
                if (run.equals("kill")) {
                    System.out.println("one of three nodes killed, tag: " + kill(cluster, documents, bulk));
                } else {
                    compare(cluster, documents, bulk, rounds, run);
                }
            }
        }
    }

    private static void compare(RealCluster cluster, int documents, int bulk, int rounds, String action)
            throws InterruptedException, ExecutionException {
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            Map<String, Double> speeds = new HashMap<>();
            List<String> order = new ArrayList<>(List.of("local", "all"));
            for (String nodes : round % 2 == 0 ? order : order.reversed()) {
                DuplicatesRun.Outcome outcome = run(cluster, nodes, documents, bulk, action, round);
                System.out.println("three nodes, " + action + ", window.nodes " + nodes + ": " + outcome);
                speeds.put(nodes, outcome.documentsPerSecond());
            }
            ratios[round] = speeds.get("all") / speeds.get("local");
        }
        System.out.printf(
                Locale.ROOT,
                "%s: documents/s with all / local, by round: %s, median %.2f%n",
                action,
                Arrays.toString(ratios),
                IndexingRound.median(Arrays.stream(ratios)));
    }

    private static DuplicatesRun.Outcome run(
            RealCluster cluster, String nodes, int documents, int bulk, String action, int seed)
            throws InterruptedException, ExecutionException {
        cluster.client().must("PUT", "/_cluster/settings", "{\"transient\":{\"" + SETTING + "\":\"" + nodes + "\"}}");
        var run = new DuplicatesRun("near-nodes", new PlantedDuplicates(documents, 4 + seed), bulk);
        run.prepare(cluster.client(), NODES, action);
        run.send(NODES, thread -> cluster.client(thread % NODES), answered -> {});
        DuplicatesRun.Outcome outcome = run.check(cluster.client());
        run.remove(cluster.client());
        cluster.client().must("PUT", "/_cluster/settings", "{\"transient\":{\"" + SETTING + "\":null}}");
        return outcome;
    }

    /** Its clients go to another node with what was not answered; each shard has a copy on another node. */
    static DuplicatesRun.Outcome kill(RealCluster cluster, int documents, int bulk)
            throws InterruptedException, ExecutionException {
        var run = new DuplicatesRun("near-nodes-kill", new PlantedDuplicates(documents, 7), bulk);
        run.prepare(cluster.client(), NODES, 1, "tag");
        AtomicBoolean isDead = new AtomicBoolean();
        CountDownLatch half = new CountDownLatch(documents / bulk / 2);
        Thread killer = new Thread(
                () -> {
                    try {
                        half.await();
                        isDead.set(true);
                        cluster.kill(NODES - 1);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "kill-node");
        killer.start();
        run.send(
                NODES,
                thread -> cluster.client(isDead.get() ? thread % (NODES - 1) : thread % NODES),
                answered -> half.countDown());
        killer.join();
        return run.check(cluster.client());
    }
}
