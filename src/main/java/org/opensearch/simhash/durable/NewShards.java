/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.durable;

import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.RecoverySource;
import org.opensearch.cluster.routing.ShardRouting;

/** Shards that hold nothing yet. */
public final class NewShards {

    private NewShards() {}

    /** Whether the shard belongs to a new index and was never started. */
    public static boolean isNew(ClusterState state, IndexMetadata index, int shard) {
        IndexRoutingTable routing = state.routingTable().index(index.getIndex());
        IndexShardRoutingTable copies = routing == null ? null : routing.shard(shard);
        ShardRouting primary = copies == null ? null : copies.primaryShard();
        return primary != null
                && primary.active() == false
                && index.inSyncAllocationIds(shard).isEmpty()
                && primary.recoverySource() != null
                && primary.recoverySource().getType() == RecoverySource.Type.EMPTY_STORE;
    }
}
