/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

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
        AtomicReference<RestClient> client = new AtomicReference<>(cluster.client());
        CountDownLatch half = new CountDownLatch(documents / bulk / 2);
        Thread killer = new Thread(
                () -> {
                    try {
                        half.await();
                        cluster.killAndRestart(options);
                        cluster.client().must("GET", "/_cluster/health/near-kill?wait_for_status=green", null);
                        client.set(cluster.client());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "kill-node");
        killer.start();
        run.send(3, thread -> client.get(), answered -> half.countDown());
        killer.join();
        return run.check(cluster.client());
    }
}
