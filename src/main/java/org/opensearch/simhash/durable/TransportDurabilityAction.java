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
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.lucene.uid.Versions;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.VersionType;
import org.opensearch.index.get.GetResult;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.indices.IndicesService;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportException;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;

/** Sends each version to the node of its primary shard, which answers on its get threads. */
public final class TransportDurabilityAction
        extends HandledTransportAction<DurabilityAction.Request, DurabilityAction.Response> {

    /** Action between nodes. */
    private static final String OF_NODE = DurabilityAction.NAME + "[n]";

    private final TransportService transport;
    private final ClusterService cluster;
    private final IndicesService indices;

    @Inject
    public TransportDurabilityAction(
            TransportService transport, ClusterService cluster, IndicesService indices, ActionFilters filters) {
        super(DurabilityAction.NAME, transport, filters, DurabilityAction.Request::new);
        this.transport = transport;
        this.cluster = cluster;
        this.indices = indices;
        transport.registerRequestHandler(
                OF_NODE,
                ThreadPool.Names.GET,
                DurabilityAction.Request::new,
                (request, channel, task) -> channel.sendResponse(here(request.versions())));
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
        Map<DiscoveryNode, List<Integer>> placesByNode = placesByNode(versions, answers);
        if (placesByNode.isEmpty()) {
            listener.onResponse(new DurabilityAction.Response(Arrays.asList(answers)));
            return;
        }
        ActionListener<Void> all = new GroupedActionListener<>(
                ActionListener.delegateFailure(
                        listener,
                        (whole, nothing) -> whole.onResponse(new DurabilityAction.Response(Arrays.asList(answers)))),
                placesByNode.size());
        placesByNode.forEach((node, places) -> ask(node, versions, places, task, answers, all));
    }

    /** Answers what no node can answer. */
    private Map<DiscoveryNode, List<Integer>> placesByNode(List<StoredVersion> versions, Durability[] answers) {
        ClusterState state = cluster.state();
        Map<DiscoveryNode, List<Integer>> places = new HashMap<>();
        for (int i = 0; i < answers.length; i++) {
            ShardId shard = versions.get(i).shard();
            if (state.metadata().index(shard.getIndex()) == null) {
                answers[i] = Durability.CHANGED;
                continue;
            }
            ShardRouting primary = state.routingTable().shardRoutingTable(shard).primaryShard();
            DiscoveryNode node = primary.active() ? state.nodes().get(primary.currentNodeId()) : null;
            if (node != null) {
                places.computeIfAbsent(node, any -> new ArrayList<>()).add(i);
            }
        }
        return places;
    }

    private void ask(
            DiscoveryNode node,
            List<StoredVersion> versions,
            List<Integer> places,
            Task task,
            Durability[] answers,
            ActionListener<Void> all) {
        List<StoredVersion> asked = places.stream().map(versions::get).toList();
        ActionListener<DurabilityAction.Response> answered = ActionListener.wrap(
                response -> {
                    for (int i = 0; i < places.size(); i++) {
                        answers[places.get(i)] = response.answers().get(i);
                    }
                    all.onResponse(null);
                },
                failure -> all.onResponse(null)); // The versions stay UNKNOWN.
        try {
            transport.sendChildRequest(
                    node,
                    OF_NODE,
                    new DurabilityAction.Request(asked),
                    task,
                    TransportRequestOptions.EMPTY,
                    new ActionListenerResponseHandler<>(answered, DurabilityAction.Response::new));
        } catch (TransportException e) {
            answered.onFailure(e);
        }
    }

    private DurabilityAction.Response here(List<StoredVersion> versions) {
        return new DurabilityAction.Response(versions.stream().map(this::here).toList());
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

    private Durability here(StoredVersion version) {
        try {
            IndexShard shard = indices.indexServiceSafe(version.shard().getIndex())
                    .getShard(version.shard().id());
            if (shard.routingEntry().primary() == false) {
                return Durability.UNKNOWN;
            }
            GetResult current = shard.getService()
                    .get(
                            version.id(),
                            new String[0],
                            true,
                            Versions.MATCH_ANY,
                            VersionType.INTERNAL,
                            FetchSourceContext.DO_NOT_FETCH_SOURCE);
            if (current.isExists() == false
                    || current.getSeqNo() != version.sequenceNumber()
                    || current.getPrimaryTerm() != version.primaryTerm()) {
                return Durability.CHANGED;
            }
            // Read after the version: an earlier checkpoint may belong to another primary.
            return version.sequenceNumber() <= shard.getLastKnownGlobalCheckpoint()
                    ? Durability.DURABLE
                    : Durability.PENDING;
        } catch (IndexNotFoundException | ShardNotFoundException e) {
            return Durability.UNKNOWN; // The shard moves. Deleted indices are known from the cluster state.
        }
    }
}
