/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.node.DuplicatesRun.Outcome;

/** Three real nodes that all ingest: no duplicate is missed, none is false, nothing is lost, whichever nodes they come to. */
@RealNodes(3)
class NearDuplicateThreeNodesIT {

    private static final int DOCUMENTS = Rounds.of(1_000, 3_000);

    private final RealCluster cluster;

    NearDuplicateThreeNodesIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testNothingIsMissedNoTagIsFalseAndNothingIsLost() throws InterruptedException, ExecutionException {
        for (String action : new String[] {"tag", "drop"}) {
            var run = new DuplicatesRun("near-three-" + action, new PlantedDuplicates(DOCUMENTS, 2), 100);
            run.prepare(cluster.client(), 3, action);
            try {
                run.send(3, cluster::client, answered -> {});
                Outcome outcome = run.check(cluster.client());
                assertEquals(DOCUMENTS, outcome.stored() + outcome.dropped(), outcome.toString());
                assertEquals(0, outcome.missed(), outcome.toString());
                assertEquals(0, outcome.falseTags(), outcome.toString());
                assertEquals(0, outcome.lost(), outcome.toString());
            } finally {
                run.remove(cluster.client());
            }
        }
    }
}
