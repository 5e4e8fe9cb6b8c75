/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RealNodes;

/** A few of the kills of {@link RandomKills}. */
@RealNodes(value = 1, disturbed = true, takesLong = true)
class RandomKillsIT {

    private static final int KILLS = 2;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final RealCluster cluster;

    RandomKillsIT(RealCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void testEachAcknowledgedTextHasANearOneAfterAKill() throws InterruptedException, ExecutionException {
        var random = new SplittableRandom(seed.value());
        var epoch = new Epoch(cluster, NodeOptions.disturbed(1), "random-kills", new Families(), random);
        for (int kill = 0; kill < KILLS; kill++) {
            assertEquals(List.of(), epoch.kill().losses());
        }
        epoch.end();
    }
}
