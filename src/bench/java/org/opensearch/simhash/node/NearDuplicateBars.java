/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * The promises of {@code near_duplicate} at size, on real nodes that refresh every 30 seconds: prints what was caught, missed,
 * falsely tagged and lost. Arguments: documents, documents of a bulk request, and which of {@code tag}, {@code drop},
 * {@code kill}, {@code three}; all by default.
 */
public final class NearDuplicateBars {

    private NearDuplicateBars() {}

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int documents = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int bulk = args.length > 1 ? Integer.parseInt(args[1]) : 1_000;
        List<String> runs =
                args.length > 2 ? List.of(args).subList(2, args.length) : List.of("tag", "drop", "kill", "three");
        NodeOptions one = NodeOptions.production(1, "2g");
        for (String run : runs) {
            switch (run) {
                case "kill" -> {
                    try (var cluster = RealCluster.start(Distribution.ofTheBuild(), one)) {
                        print("one node, killed while it drops", DuplicatesKill.run(cluster, one, documents, bulk));
                    }
                }
                case "three" -> threeNodes(documents, bulk);
                default -> {
                    try (var cluster = RealCluster.start(Distribution.ofTheBuild(), one)) {
                        print("one node, " + run, run(cluster, 1, documents, bulk, run));
                    }
                }
            }
        }
    }

    private static void threeNodes(int documents, int bulk) throws InterruptedException, ExecutionException {
        NodeOptions three = NodeOptions.production(3, "1g");
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), three)) {
            for (String action : List.of("tag", "drop")) {
                print("three nodes, three shards, " + action, run(cluster, 3, documents, bulk, action));
            }
        }
    }

    private static DuplicatesRun.Outcome run(RealCluster cluster, int nodes, int documents, int bulk, String action)
            throws InterruptedException, ExecutionException {
        var run = new DuplicatesRun("near-" + action, new PlantedDuplicates(documents, 4), bulk);
        run.prepare(cluster.client(), nodes, action);
        int threads = Math.max(2, nodes);
        run.send(threads, thread -> cluster.client(thread % nodes), answered -> {});
        return run.check(cluster.client());
    }

    private static void print(String what, DuplicatesRun.Outcome outcome) {
        System.out.println(what + ": " + outcome);
    }
}
