/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

/** {@link SearchCases} on three nodes, three shards with a replica each. */
@RealNodes(3)
class ThreeNodesSearchIT extends SearchCases {

    ThreeNodesSearchIT(RealCluster cluster) {
        super(cluster, 3, 1);
    }
}
