/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.node.DuplicatesRun.Outcome;

/** A node killed while it drops duplicates, clients that send again what was not answered: no text is lost. */
@OwnNodes
class NearDuplicateKillIT {

    private static final int DOCUMENTS = 3_000;
    private static final int BULK = 100;

    @Test
    void testEachTextIsThereAfterAKill() throws InterruptedException, ExecutionException {
        NodeOptions options = NodeOptions.quick(1);
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), options)) {
            Outcome outcome = DuplicatesKill.run(cluster, options, DOCUMENTS, BULK);
            assertEquals(0, outcome.lost(), outcome.toString());
            assertEquals(0, outcome.falseTags(), outcome.toString());
            assertTrue(outcome.dropped() > DOCUMENTS / 20, outcome.toString());
        }
    }
}
