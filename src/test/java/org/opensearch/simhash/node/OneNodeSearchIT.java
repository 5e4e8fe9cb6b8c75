/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

/** {@link SearchCases} on one node and one shard. */
@RealNodes(1)
class OneNodeSearchIT extends SearchCases {

    OneNodeSearchIT(RealCluster cluster) {
        super(cluster, 1, 0);
    }
}
