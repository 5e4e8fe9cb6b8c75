/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateObserver;
import org.opensearch.cluster.coordination.CoordinationMetadata.VotingConfiguration;
import org.opensearch.cluster.coordination.Coordinator;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.discovery.Discovery;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * A linearizable read of the cluster state: at the answer, this node knows every state that was committed before the
 * question. A node that is cut off, or was paused, gets no answer until it has caught up.
 *
 * <p>A state is committed when a majority of the voting nodes has accepted it. So a majority is asked which state it
 * accepted last, and this node waits until it has applied that. If other nodes vote in that state, they are asked, too:
 * later states need no vote of the earlier ones. Costs one small message to each voting node.
 */
final class CurrentState {

    private static final Logger LOGGER = LogManager.getLogger(CurrentState.class);

    /** Which state a node accepted last. */
    static final NodeCall<Boolean, Accepted> OF_NODE = new NodeCall<>(
            "internal:simhash/accepted_state",
            StreamOutput::writeBoolean,
            StreamInput::readBoolean,
            (out, accepted) -> {
                out.writeVLong(accepted.term);
                out.writeVLong(accepted.version);
            },
            in -> new Accepted(in.readVLong(), in.readVLong()));

    private final TransportService transport;
    private final ClusterService cluster;

    CurrentState(TransportService transport, ClusterService cluster, Discovery discovery) {
        this.transport = transport;
        this.cluster = cluster;
        OF_NODE.serve(
                transport,
                ThreadPool.Names.GENERIC, // It waits while a state is written to disk.
                false,
                (asked, listener) -> ActionListener.completeWith(
                        listener,
                        () -> Accepted.of(
                                discovery instanceof Coordinator coordinator
                                        ? coordinator.getLastAcceptedState()
                                        : cluster.state())));
    }

    record Accepted(long term, long version) {

        static Accepted of(ClusterState state) {
            return new Accepted(state.term(), state.version());
        }

        boolean isApplied(ClusterState state) {
            return state.term() > term || (state.term() == term && state.version() >= version);
        }
    }

    /**
     * @param patience half of it for the answers, half for what this node has to catch up with
     * @param then gets null if that is not known
     */
    void read(TimeValue patience, Consumer<ClusterState> then) {
        read(cluster.state(), System.nanoTime() + patience.nanos(), then);
    }

    private void read(ClusterState state, long end, Consumer<ClusterState> then) {
        TimeValue patience = TimeValue.timeValueNanos(Math.max(0, end - System.nanoTime()) / 2);
        VotingConfiguration voting = state.getLastCommittedConfiguration();
        List<DiscoveryNode> voters = voting.getNodeIds().stream()
                .map(state.nodes()::get)
                .filter(Objects::nonNull)
                .toList();
        Poll poll = new Poll(voting, voters.size(), patience, applied -> {
            if (applied == null || applied.getLastCommittedConfiguration().equals(voting)) {
                then.accept(applied);
            } else {
                read(applied, end, then);
            }
        });
        if (voters.isEmpty()) {
            then.accept(null);
        }
        for (DiscoveryNode voter : voters) {
            OF_NODE.ask(
                    transport,
                    voter,
                    true,
                    null,
                    patience,
                    ActionListener.wrap(
                            accepted -> poll.answered(voter, accepted), failure -> poll.answered(voter, null)));
        }
    }

    /** Ends with the first majority. */
    private final class Poll {

        private final VotingConfiguration voting;
        private final TimeValue patience;
        private final Consumer<ClusterState> then;
        private final Set<String> answered = new HashSet<>();
        private Accepted last = new Accepted(0, 0);
        private int open;
        private boolean isOver;

        Poll(VotingConfiguration voting, int voters, TimeValue patience, Consumer<ClusterState> then) {
            this.voting = voting;
            this.open = voters;
            this.patience = patience;
            this.then = then;
        }

        /** @param accepted null without an answer */
        void answered(DiscoveryNode voter, Accepted accepted) {
            boolean isElected;
            synchronized (this) {
                open--;
                if (isOver) {
                    return;
                }
                if (accepted != null) {
                    answered.add(voter.getId());
                    last = last.term > accepted.term || (last.term == accepted.term && last.version > accepted.version)
                            ? last
                            : accepted;
                }
                isElected = voting.hasQuorum(answered);
                isOver = isElected || open == 0;
                if (isOver == false) {
                    return;
                }
            }
            if (isElected) {
                awaitApplied(last, patience, then);
            } else {
                then.accept(null);
            }
        }
    }

    private void awaitApplied(Accepted last, TimeValue patience, Consumer<ClusterState> then) {
        ThreadPool threads = transport.getThreadPool();
        ClusterStateObserver observer = new ClusterStateObserver(cluster, patience, LOGGER, threads.getThreadContext());
        ClusterState state = observer.setAndGetObservedState();
        if (last.isApplied(state)) {
            then.accept(state);
            return;
        }
        // The observer's own timeout runs on the thread that applies states, which may be the one that hangs.
        ActionListener<ClusterState> answer = ListenerTimeouts.wrapWithTimeout(
                threads,
                ActionListener.wrap(then::accept, late -> then.accept(null)),
                patience,
                ThreadPool.Names.GENERIC,
                OF_NODE.action());
        observer.waitForNextChange(
                new ClusterStateObserver.Listener() {
                    @Override
                    public void onNewClusterState(ClusterState applied) {
                        answer.onResponse(applied);
                    }

                    @Override
                    public void onClusterServiceClose() {
                        answer.onResponse(null);
                    }

                    @Override
                    public void onTimeout(TimeValue timeout) {
                        answer.onResponse(null);
                    }
                },
                last::isApplied);
    }
}
