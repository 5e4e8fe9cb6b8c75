/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A node dies while a job writes: no document is lost, and the job, started again, ends as an undisturbed one. {@link
 * DeduplicateKills} does it in the other phases, too, on more documents.
 */
class DeduplicateKillIT {

    private static final int DOCUMENTS = 4_000;
    private static final int DISTANCE = 3;

    private final long seed = System.nanoTime();

    @Test
    void testTheCoordinatingNodeDies() {
        kill(DeletingJob.COORDINATING);
    }

    @Test
    void testADataNodeDies() {
        kill(1);
    }

    private void kill(int victim) {
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.quick(3))) {
            var job = new DeletingJob(cluster, "disturbed", DISTANCE);
            var control = new DeletingJob(cluster, "control", DISTANCE);
            for (DeletingJob filled : List.of(job, control)) {
                filled.fill(DOCUMENTS, new EditedFingerprints(DOCUMENTS, 3, 1, seed));
            }
            RemovalState expected = control.run();

            job.start(400, 50);
            DeletingJob.await(() -> job.status().number("task.status.written") >= 200);
            job.kill(victim);
            RemovalState after = job.settled();
            String hint = "seed " + seed + ", victim " + victim;
            assertTrue(after.left().size() < DOCUMENTS, "something was deleted; " + hint);
            assertEquals(Set.of(), after.lost(DOCUMENTS), "lost; " + hint);

            assertEquals(expected, job.run(), hint);
            assertEquals(0, job.duplicates(), hint);
        }
    }
}
