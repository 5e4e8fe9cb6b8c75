/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.nio.file.Path;

/** A program that starts a node below the folder given, prints its port and waits: for {@link NothingStaysBehindIT}. */
final class ClusterUntilKilled {

    private ClusterUntilKilled() {}

    public static void main(String[] args) throws InterruptedException {
        var build = Distribution.ofTheBuild();
        var distribution = new Distribution(build.stock(), build.zip(), Path.of(args[0]));
        try (var cluster = RealCluster.start(distribution, NodeOptions.quick(1))) {
            System.out.println(cluster.client().address().getPort());
            cluster.awaitEnd();
        }
    }
}
