/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.node.DuplicatesRun.Outcome;

/** A node killed while it drops duplicates, clients that send again what was not answered: no text is lost. */
@RealNodes(value = 1, disturbed = true)
class NearDuplicateKillIT {

    private static final int DOCUMENTS = 3_000;
    private static final int BULK = 100;

    private final RealCluster cluster;

    NearDuplicateKillIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testEachTextIsThereAfterAKill() throws InterruptedException, ExecutionException {
        Outcome outcome = DuplicatesKill.run(cluster, NodeOptions.disturbed(1), DOCUMENTS, BULK);
        assertEquals(0, outcome.lost(), outcome.toString());
        assertEquals(0, outcome.falseTags(), outcome.toString());
        assertTrue(outcome.dropped() > DOCUMENTS / 20, outcome.toString());
    }
}
