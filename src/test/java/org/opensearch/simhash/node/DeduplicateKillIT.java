/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;

/**
 * A node dies while a job writes: no document is lost, and the job, started again, ends as an undisturbed one. {@link
 * DeduplicateKills} does it in the other phases, too, on more documents.
 */
@RealNodes(3)
class DeduplicateKillIT {

    private static final int DOCUMENTS = 2_000;
    private static final int DISTANCE = 3;

    private static final NodeOptions OPTIONS = NodeOptions.quick(3);

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final RealCluster cluster;

    DeduplicateKillIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testADataNodeDiesThenTheCoordinatingOne() {
        RemovalState expected = filled("control").run();
        kill(1, expected);
        kill(DeletingJob.COORDINATING, expected);
    }

    private void kill(int victim, RemovalState expected) {
        DeletingJob job = filled("disturbed-" + victim);
        job.start(400);
        DeletingJob.await(() -> job.status().number("task.status.written") >= 200);
        job.kill(victim);
        try {
            assertNothingIsLost(victim, job, expected);
        } finally {
            cluster.restart(victim, OPTIONS);
        }
    }

    private static void assertNothingIsLost(int victim, DeletingJob job, RemovalState expected) {
        String hint = "victim " + victim;
        RemovalState after = job.settled();
        assertTrue(after.left().size() < DOCUMENTS, "something was deleted; " + hint);
        assertEquals(Set.of(), after.lost(DOCUMENTS), "lost; " + hint);

        assertEquals(expected, job.run(), hint);
        assertEquals(0, job.duplicates(), hint);
    }

    private DeletingJob filled(String index) {
        var job = new DeletingJob(cluster, "kill-" + index, DISTANCE);
        job.fill(DOCUMENTS, new EditedFingerprints(DOCUMENTS, 3, 1, seed.value()));
        return job;
    }
}
