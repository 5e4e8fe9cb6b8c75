/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;

@RealNodes(value = 3, disturbed = true, takesLong = true)
class ScheduleKillIT {

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final RealCluster cluster;

    ScheduleKillIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testNoRunIsTwiceAtATimeOrMissedTwice() throws InterruptedException {
        assertEquals(List.of(), ScheduleKills.run(cluster, 2, seed.value()));
    }
}
