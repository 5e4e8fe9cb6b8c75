/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.discovery.Discovery;
import org.opensearch.indices.IndicesService;
import org.opensearch.simhash.arrivals.durable.PrimaryShards.NewShards;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * Asks shards whether versions of documents are current and durable. A primary answers, and proves that it still is the primary: the
 * in-sync copies follow it, and where one of them cannot be asked, or it is the only copy, the current cluster state names it. Costs a
 * real-time get without source per version, and a message to each node of their primaries and copies. Any node may be asked. What is not
 * answered in ten seconds is {@link Durability#UNKNOWN}; the request does not fail.
 */
public final class DurabilityAction
        extends HandledTransportAction<DurabilityAction.Request, DurabilityAction.Response> {

    public static final String NAME = "indices:data/read/simhash/durable";
    public static final ActionType<Response> INSTANCE = new ActionType<>(NAME, Response::new);

    private static final NodeCall<List<StoredVersion>, List<Durability>> OF_NODE = new NodeCall<>(
            "internal:simhash/durable",
            StreamOutput::writeList,
            in -> in.readList(StoredVersion::new),
            (out, answers) -> out.writeCollection(answers, StreamOutput::writeEnum),
            in -> in.readList(stream -> stream.readEnum(Durability.class)));

    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(10);

    private final TransportService transport;
    private final ClusterService cluster;
    private final CurrentState current;

    @Inject
    public DurabilityAction(
            TransportService transport,
            ClusterService cluster,
            IndicesService indices,
            Discovery discovery,
            ActionFilters filters) {
        super(NAME, transport, filters, Request::new);
        this.transport = transport;
        this.cluster = cluster;
        this.current = new CurrentState(transport, cluster, discovery);
        PrimaryShards primaries = new PrimaryShards(cluster, indices, new InSyncCopies(transport, indices), current);
        OF_NODE.serve(transport, ThreadPool.Names.GET, false, primaries::answer);
        Checkpoints.serve(transport, indices);
    }

    public static final class Request extends ActionRequest implements IndicesRequest.Replaceable {

        private final List<StoredVersion> versions;

        /** Null without a filter. */
        private Set<String> permitted;

        public Request(List<StoredVersion> versions) {
            this.versions = List.copyOf(versions);
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.versions = MessageForm.read(in).readList(StoredVersion::new);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            MessageForm.write(out);
            out.writeCollection(versions);
        }

        public List<StoredVersion> versions() {
            return versions;
        }

        @Override
        public String[] indices() {
            return versions.stream()
                    .filter(this::isPermitted)
                    .map(version -> version.shard().getIndexName())
                    .distinct()
                    .toArray(String[]::new);
        }

        /** Called by a security filter with the permitted indices. Versions of others are {@link Durability#UNKNOWN}. */
        @Override
        public IndicesRequest indices(String... replaced) {
            permitted = Set.copyOf(Arrays.asList(replaced));
            return this;
        }

        boolean isPermitted(StoredVersion version) {
            return permitted == null || permitted.contains(version.shard().getIndexName());
        }

        /** Indices are concrete. */
        @Override
        public IndicesOptions indicesOptions() {
            return IndicesOptions.strictSingleIndexNoExpandForbidClosed();
        }

        @Override
        public ActionRequestValidationException validate() {
            return null;
        }
    }

    /** One answer per version, in order. */
    public static final class Response extends ActionResponse {

        private final List<Durability> answers;

        Response(List<Durability> answers) {
            this.answers = List.copyOf(answers);
        }

        Response(StreamInput in) throws IOException {
            super(in);
            this.answers = MessageForm.read(in).readList(stream -> stream.readEnum(Durability.class));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            MessageForm.write(out);
            out.writeCollection(answers, StreamOutput::writeEnum);
        }

        public List<Durability> answers() {
            return answers;
        }
    }

    @Override
    protected void doExecute(Task task, Request request, ActionListener<Response> listener) {
        List<StoredVersion> versions = request.versions();
        Durability[] answers = new Durability[versions.size()];
        Arrays.fill(answers, Durability.UNKNOWN);
        List<Integer> unstored = new ArrayList<>();
        Map<DiscoveryNode, List<Integer>> placesByNode = placesByNode(request, answers, unstored);
        Runnable done = PrimaryShards.after(
                placesByNode.size() + 1, () -> listener.onResponse(new Response(Arrays.asList(answers))));
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
            Request request, Durability[] answers, List<Integer> unstored) {
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
        return state == null
                ? Durability.UNKNOWN
                : isUnstored(state, version.shard()) ? Durability.DURABLE : Durability.CHANGED;
    }

    private void ask(
            DiscoveryNode node,
            List<StoredVersion> versions,
            List<Integer> places,
            Task task,
            Durability[] answers,
            Runnable done) {
        List<StoredVersion> asked = places.stream().map(versions::get).toList();
        ActionListener<List<Durability>> answered = ActionListener.wrap(
                given -> {
                    for (int i = 0; i < places.size(); i++) {
                        answers[places.get(i)] = given.get(i);
                    }
                    done.run();
                },
                failure -> done.run()); // The versions stay UNKNOWN.
        OF_NODE.ask(transport, node, asked, task, PATIENCE, answered);
    }
}
