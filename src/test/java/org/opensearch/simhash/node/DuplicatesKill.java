/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;

/** Kills a node in the middle of a run that drops duplicates. */
final class DuplicatesKill {

    private DuplicatesKill() {}

    static DuplicatesRun.Outcome run(RealCluster cluster, NodeOptions options, int documents, int bulk)
            throws InterruptedException, ExecutionException {
        var run = new DuplicatesRun("near-kill", new PlantedDuplicates(documents, 3), bulk);
        run.prepare(cluster.client(), 1, "drop");
        AtomicReference<CompletableFuture<RestClient>> client =
                new AtomicReference<>(CompletableFuture.completedFuture(cluster.client()));
        CountDownLatch half = new CountDownLatch(documents / bulk / 2);
        Thread killer = new Thread(
                () -> {
                    CompletableFuture<RestClient> restarted = new CompletableFuture<>();
                    try {
                        half.await();
                        client.set(restarted);
                        cluster.kill(0);
                        cluster.restart(0, options);
                        cluster.client().must("GET", "/_cluster/health/near-kill?wait_for_status=green", null);
                        restarted.complete(cluster.client());
                    } catch (InterruptedException | RuntimeException e) {
                        restarted.completeExceptionally(e);
                    }
                },
                "kill-node");
        killer.start();
        run.send(3, thread -> client.get().join(), answered -> half.countDown());
        killer.join();
        return run.check(cluster.client());
    }
}
