/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.durable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.ChannelActionListener;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.CountDown;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.discovery.Discovery;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.indices.IndicesService;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportException;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;

/**
 * Sends each version to the node of its primary shard, which answers on its get threads. Without a shard that could have
 * a version, the current cluster state tells.
 */
public final class TransportDurabilityAction
        extends HandledTransportAction<DurabilityAction.Request, DurabilityAction.Response> {

    /** Action between nodes. */
    private static final String OF_NODE = DurabilityAction.NAME + "[n]";

    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(10);

    private final TransportService transport;
    private final ClusterService cluster;
    private final IndicesService indices;
    private final CurrentState current;

    @Inject
    public TransportDurabilityAction(
            TransportService transport,
            ClusterService cluster,
            IndicesService indices,
            Discovery discovery,
            ActionFilters filters) {
        super(DurabilityAction.NAME, transport, filters, DurabilityAction.Request::new);
        this.transport = transport;
        this.cluster = cluster;
        this.indices = indices;
        this.current = new CurrentState(transport, cluster, discovery);
        PrimaryShards primaries = new PrimaryShards(cluster, indices, new InSyncCopies(transport, indices), current);
        transport.registerRequestHandler(
                OF_NODE,
                ThreadPool.Names.GET,
                DurabilityAction.Request::new,
                (request, channel, task) -> primaries.answer(
                        request.versions(),
                        ActionListener.map(
                                new ChannelActionListener<>(channel, OF_NODE, request),
                                DurabilityAction.Response::new)));
        transport.registerRequestHandler(
                Checkpoints.OF_NODE,
                ThreadPool.Names.GET,
                Checkpoints.Request::new,
                (request, channel, task) -> channel.sendResponse(checkpoints(request.shards())));
    }

    @Override
    protected void doExecute(
            Task task, DurabilityAction.Request request, ActionListener<DurabilityAction.Response> listener) {
        List<StoredVersion> versions = request.versions();
        Durability[] answers = new Durability[versions.size()];
        Arrays.fill(answers, Durability.UNKNOWN);
        List<Integer> unstored = new ArrayList<>();
        Map<DiscoveryNode, List<Integer>> placesByNode = placesByNode(request, answers, unstored);
        CountDown left = new CountDown(placesByNode.size() + 1);
        Runnable done = () -> {
            if (left.countDown()) {
                listener.onResponse(new DurabilityAction.Response(Arrays.asList(answers)));
            }
        };
        placesByNode.forEach((node, places) -> ask(node, versions, places, task, answers, done));
        if (unstored.isEmpty()) {
            done.run();
        } else {
            current.read(PATIENCE, state -> {
                unstored.forEach(place -> answers[place] = unstored(versions.get(place), state));
                done.run();
            });
        }
    }

    /**
     * Answers what no node can answer.
     *
     * @param unstored gets versions of which nothing can be stored, as far as this node knows
     */
    private Map<DiscoveryNode, List<Integer>> placesByNode(
            DurabilityAction.Request request, Durability[] answers, List<Integer> unstored) {
        ClusterState state = cluster.state();
        Map<DiscoveryNode, List<Integer>> places = new HashMap<>();
        for (int i = 0; i < answers.length; i++) {
            StoredVersion version = request.versions().get(i);
            ShardId shard = version.shard();
            if (request.isPermitted(version) == false) {
                continue;
            }
            if (version.isNone() && isUnstored(state, shard)) {
                unstored.add(i);
            } else if (state.metadata().index(shard.getIndex()) == null) {
                answers[i] = Durability.CHANGED;
            } else {
                ShardRouting primary =
                        state.routingTable().shardRoutingTable(shard).primaryShard();
                DiscoveryNode node = primary.active() ? state.nodes().get(primary.currentNodeId()) : null;
                if (node != null) {
                    places.computeIfAbsent(node, any -> new ArrayList<>()).add(i);
                }
            }
        }
        return places;
    }

    /** Whether the index is missing, or the shard was never started. */
    private static boolean isUnstored(ClusterState state, ShardId shard) {
        IndexMetadata index = state.metadata().index(shard.getIndex());
        return index == null
                ? state.metadata().getIndicesLookup().containsKey(shard.getIndexName()) == false
                : NewShards.isNew(state, index, shard.id());
    }

    /** @param state current, or null */
    private static Durability unstored(StoredVersion version, ClusterState state) {
        if (state == null) {
            return Durability.UNKNOWN;
        }
        return isUnstored(state, version.shard()) ? Durability.DURABLE : Durability.CHANGED;
    }

    private void ask(
            DiscoveryNode node,
            List<StoredVersion> versions,
            List<Integer> places,
            Task task,
            Durability[] answers,
            Runnable done) {
        List<StoredVersion> asked = places.stream().map(versions::get).toList();
        ActionListener<DurabilityAction.Response> answered = ActionListener.notifyOnce(ActionListener.wrap(
                response -> {
                    for (int i = 0; i < places.size(); i++) {
                        answers[places.get(i)] = response.answers().get(i);
                    }
                    done.run();
                },
                failure -> done.run())); // The versions stay UNKNOWN.
        try {
            transport.sendChildRequest(
                    node,
                    OF_NODE,
                    new DurabilityAction.Request(asked),
                    task,
                    TransportRequestOptions.builder().withTimeout(PATIENCE).build(),
                    new ActionListenerResponseHandler<>(answered, DurabilityAction.Response::new));
        } catch (TransportException e) {
            answered.onFailure(e);
        }
    }

    private Checkpoints.Response checkpoints(List<ShardId> shards) {
        Map<ShardId, Long> checkpoints = new HashMap<>();
        for (ShardId id : shards) {
            checkpoint(id).ifPresent(checkpoint -> checkpoints.put(id, checkpoint));
        }
        return new Checkpoints.Response(checkpoints);
    }

    /** Empty if the primary moved or the index is deleted. */
    private Optional<Long> checkpoint(ShardId id) {
        try {
            IndexShard shard = indices.indexServiceSafe(id.getIndex()).getShard(id.id());
            return shard.routingEntry().primary()
                    ? Optional.of(shard.getLastKnownGlobalCheckpoint())
                    : Optional.empty();
        } catch (IndexNotFoundException | ShardNotFoundException e) {
            return Optional.empty();
        }
    }
}
