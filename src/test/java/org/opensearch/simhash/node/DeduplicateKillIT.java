/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.RandomSeed;

/**
 * A node dies while a job writes: no document is lost, and the job, started again, ends as an undisturbed one. {@link
 * DeduplicateKills} does it in the other phases, too, on more documents.
 */
@OwnNodes
class DeduplicateKillIT {

    private static final int DOCUMENTS = 2_000;
    private static final int DISTANCE = 3;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    @Test
    void testADataNodeDiesThenTheCoordinatingOne() {
        NodeOptions options = NodeOptions.quick(3);
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), options)) {
            RemovalState expected = filled(cluster, "control").run();
            kill(cluster, 1, expected);
            cluster.restart(1, options);
            kill(cluster, DeletingJob.COORDINATING, expected);
        }
    }

    private void kill(RealCluster cluster, int victim, RemovalState expected) {
        String hint = "victim " + victim;
        DeletingJob job = filled(cluster, "disturbed-" + victim);
        job.start(400, 50);
        DeletingJob.await(() -> job.status().number("task.status.written") >= 200);
        job.kill(victim);
        RemovalState after = job.settled();
        assertTrue(after.left().size() < DOCUMENTS, "something was deleted; " + hint);
        assertEquals(Set.of(), after.lost(DOCUMENTS), "lost; " + hint);

        assertEquals(expected, job.run(), hint);
        assertEquals(0, job.duplicates(), hint);
    }

    private DeletingJob filled(RealCluster cluster, String index) {
        var job = new DeletingJob(cluster, index, DISTANCE);
        job.fill(DOCUMENTS, new EditedFingerprints(DOCUMENTS, 3, 1, seed.value()));
        return job;
    }
}
