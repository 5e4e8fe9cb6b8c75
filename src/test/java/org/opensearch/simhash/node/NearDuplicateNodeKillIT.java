/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.node.DuplicatesRun.Outcome;

/** One of three nodes that ask one another is killed: nothing is lost, and no bulk hangs. */
@RealNodes(value = 3, disturbed = true, takesLong = true)
class NearDuplicateNodeKillIT {

    private static final int DOCUMENTS = 3_000;
    private static final int BULK = 100;

    /** Longer than the others wait for the state of the cluster without the node, and shorter than a lookup may take. */
    private static final double PATIENCE = 25;

    private final RealCluster cluster;

    NearDuplicateNodeKillIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testTheOthersGoOn() throws InterruptedException, ExecutionException {
        try {
            Outcome outcome = NearDuplicateNodes.kill(cluster, DOCUMENTS, BULK);
            assertEquals(DOCUMENTS, outcome.stored(), outcome.toString());
            assertEquals(0, outcome.falseTags(), outcome.toString());
            assertEquals(0, outcome.lost(), outcome.toString());
            assertTrue(outcome.slowest() < PATIENCE, outcome.toString());
        } finally {
            cluster.restart(2, NodeOptions.disturbed(3));
            cluster.client().must("DELETE", "/near-nodes-kill", null);
            cluster.client().must("DELETE", "/_ingest/pipeline/near-nodes-kill", null);
        }
    }
}
