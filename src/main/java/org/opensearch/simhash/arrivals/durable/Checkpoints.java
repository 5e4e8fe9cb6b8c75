/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.indices.IndicesService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * Reads the global checkpoint of a shard from its primary: all writes up to this sequence number are durable. A later
 * write has a higher number. Costs a message to each node.
 */
public final class Checkpoints {

    /** The shards whose primaries are on one node, and their checkpoints. */
    private static final NodeCall<List<ShardId>, Map<ShardId, Long>> OF_NODE = new NodeCall<>(
            "internal:simhash/checkpoints",
            StreamOutput::writeList,
            in -> in.readList(ShardId::new),
            (out, checkpoints) -> out.writeMap(checkpoints, (o, shard) -> shard.writeTo(o), StreamOutput::writeZLong),
            in -> in.readMap(ShardId::new, StreamInput::readZLong));

    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);

    private Checkpoints() {}

    static void serve(TransportService transport, IndicesService indices) {
        OF_NODE.serve(
                transport,
                ThreadPool.Names.GET,
                false,
                (shards, listener) -> ActionListener.completeWith(listener, () -> checkpoints(shards, indices)));
    }

    private static Map<ShardId, Long> checkpoints(List<ShardId> shards, IndicesService indices) {
        Map<ShardId, Long> checkpoints = new HashMap<>();
        for (ShardId id : shards) {
            try {
                IndexShard shard = indices.indexServiceSafe(id.getIndex()).getShard(id.id());
                if (shard.routingEntry().primary()) {
                    checkpoints.put(id, shard.getLastKnownGlobalCheckpoint());
                }
            } catch (IndexNotFoundException | ShardNotFoundException e) {
                // The primary moved, or the index is deleted.
            }
        }
        return checkpoints;
    }

    /**
     * Blocks: never call it on a transport thread.
     *
     * @param indices names of indices, not of aliases
     * @return without shards whose primaries do not answer
     */
    public static Map<ShardId, Long> read(
            TransportService transport, ClusterService cluster, Collection<String> indices) {
        Map<DiscoveryNode, List<ShardId>> primaries = primaries(cluster.state(), indices);
        Map<ShardId, Long> checkpoints = new ConcurrentHashMap<>();
        if (primaries.isEmpty()) {
            return checkpoints;
        }
        PlainActionFuture<Collection<Void>> all = new PlainActionFuture<>();
        GroupedActionListener<Void> each = new GroupedActionListener<>(all, primaries.size());
        primaries.forEach((node, shards) -> {
            ActionListener<Map<ShardId, Long>> answered = ActionListener.wrap(
                    found -> {
                        checkpoints.putAll(found);
                        each.onResponse(null);
                    },
                    failure -> each.onResponse(null));
            OF_NODE.ask(transport, node, shards, null, PATIENCE, answered);
        });
        all.actionGet();
        return checkpoints;
    }

    private static Map<DiscoveryNode, List<ShardId>> primaries(ClusterState state, Collection<String> indices) {
        Map<DiscoveryNode, List<ShardId>> primaries = new HashMap<>();
        for (String name : indices) {
            IndexMetadata index = state.metadata().index(name);
            if (index == null || state.routingTable().hasIndex(index.getIndex()) == false) {
                continue;
            }
            for (IndexShardRoutingTable shard : state.routingTable().index(index.getIndex())) {
                DiscoveryNode node = shard.primaryShard().active()
                        ? state.nodes().get(shard.primaryShard().currentNodeId())
                        : null;
                if (node != null) {
                    primaries.computeIfAbsent(node, any -> new ArrayList<>()).add(shard.shardId());
                }
            }
        }
        return primaries;
    }
}
