/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.action.ActionListenerResponseHandler;
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
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;

/**
 * Reads the global checkpoint of a shard from its primary: all writes up to this sequence number are durable. A later
 * write has a higher number. Costs a message to each node.
 */
public final class Checkpoints {

    /** Between nodes. */
    static final String OF_NODE = "internal:simhash/checkpoints";

    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);

    private Checkpoints() {}

    /** The shards whose primaries are on one node. */
    static final class Request extends TransportRequest {

        private final List<ShardId> shards;

        Request(List<ShardId> shards) {
            this.shards = List.copyOf(shards);
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.shards = MessageForm.read(in).readList(ShardId::new);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            MessageForm.write(out);
            out.writeList(shards);
        }

        List<ShardId> shards() {
            return shards;
        }
    }

    /** The checkpoints of the primaries on a node. */
    static final class Response extends TransportResponse {

        private final Map<ShardId, Long> checkpoints;

        Response(Map<ShardId, Long> checkpoints) {
            this.checkpoints = checkpoints;
        }

        Response(StreamInput in) throws IOException {
            this.checkpoints = MessageForm.read(in).readMap(ShardId::new, StreamInput::readZLong);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            MessageForm.write(out);
            out.writeMap(checkpoints, (o, shard) -> shard.writeTo(o), StreamOutput::writeZLong);
        }
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
            ActionListener<Response> answered = ActionListener.wrap(
                    response -> {
                        checkpoints.putAll(response.checkpoints);
                        each.onResponse(null);
                    },
                    failure -> each.onResponse(null));
            transport.sendRequest(
                    node,
                    OF_NODE,
                    new Request(shards),
                    TransportRequestOptions.builder().withTimeout(PATIENCE).build(),
                    new ActionListenerResponseHandler<>(answered, Response::new));
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
