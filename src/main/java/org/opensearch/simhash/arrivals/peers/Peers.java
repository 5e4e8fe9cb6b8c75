/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.opensearch.ExceptionsHelper;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.node.NodeClosedException;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.transport.ActionNotFoundTransportException;
import org.opensearch.transport.ConnectTransportException;

/**
 * The other nodes. One that restarts is another node. Thread-safe.
 *
 * <p>Two nodes must know each other before one of them takes documents: see the package. A node is known after it asked
 * or answered, until it leaves the cluster state.
 */
public final class Peers {

    private static final PeerQuestion.Rule NOTHING = new PeerQuestion.Rule(List.of(), "", false, PairConditions.NONE);

    private final ArrivalWindow window;
    private final PeerNetwork network;
    private final Set<DiscoveryNode> known = ConcurrentHashMap.newKeySet();
    private final Set<DiscoveryNode> met = ConcurrentHashMap.newKeySet();
    /** Nodes that do not know the question: without the plugin, or with an older version. */
    private final Set<DiscoveryNode> mute = ConcurrentHashMap.newKeySet();

    private final MeetingQueue meetings = new MeetingQueue(this::introduce);

    public Peers(ArrivalWindow window, PeerNetwork network) {
        this.window = window;
        this.network = network;
    }

    /** A node asked: rounds that enter from now on ask it. */
    void heardOf(DiscoveryNode node) {
        if (node.equals(network.self()) == false) {
            known.add(node);
        }
    }

    public void left(DiscoveryNode node) {
        known.remove(node);
        met.remove(node);
        mute.remove(node);
    }

    /** Nodes to ask, for a round that has entered. */
    List<DiscoveryNode> known() {
        return List.copyOf(known);
    }

    boolean isMute(DiscoveryNode node) {
        return mute.contains(node);
    }

    boolean hasMute() {
        return mute.isEmpty() == false;
    }

    /**
     * Introduces all nodes to each other, before a round enters. Rounds enter in the order of calls.
     *
     * @param deadline by the clock of the network
     * @param listener as for {@link MeetingQueue.Guest}
     * @return false if the round may enter now; then the listener is not called
     */
    boolean meet(
            long deadline,
            BiConsumer<Runnable, Consumer<Exception>> fork,
            ActionListener<Map<DiscoveryNode, Exception>> listener) {
        return meetings.join(new MeetingQueue.Guest(strangers(), deadline, fork, listener));
    }

    private Set<DiscoveryNode> strangers() {
        Set<DiscoveryNode> strangers = new HashSet<>(network.others());
        strangers.removeAll(met);
        strangers.removeAll(mute);
        return strangers;
    }

    private void introduce(Set<DiscoveryNode> strangers, long deadline, Consumer<Map<DiscoveryNode, Exception>> then) {
        Map<DiscoveryNode, Exception> failures = new ConcurrentHashMap<>();
        AtomicInteger left = new AtomicInteger(strangers.size());
        PeerQuestion question = new PeerQuestion(network.self(), window.stamp(), NOTHING, List.of());
        for (DiscoveryNode node : strangers) {
            ActionListener<PeerAnswer> noted = ActionListener.wrap(answer -> {}, failure -> {
                if (mute.contains(node) == false) {
                    failures.put(node, failure);
                }
            });
            ask(node, question, deadline, ActionListener.runAfter(noted, () -> {
                if (left.decrementAndGet() == 0) {
                    then.accept(Map.copyOf(failures));
                }
            }));
        }
    }

    /**
     * Asks a node. Retries while there is no connection.
     *
     * @param listener gets null if the node left the cluster
     */
    void ask(DiscoveryNode node, PeerQuestion question, long deadline, ActionListener<PeerAnswer> listener) {
        long timeout = deadline - network.millis();
        if (isGone(node)) {
            listener.onResponse(null);
            return;
        }
        network.send(
                node,
                question,
                TimeValue.timeValueMillis(Math.max(1, timeout)),
                ActionListener.wrap(
                        answer -> {
                            window.heard(answer.stamp());
                            if (isGone(node) == false) {
                                met.add(node);
                                known.add(node);
                            }
                            listener.onResponse(answer);
                        },
                        failure -> failed(node, question, deadline, failure, listener)));
    }

    private void failed(
            DiscoveryNode node,
            PeerQuestion question,
            long deadline,
            Exception failure,
            ActionListener<PeerAnswer> listener) {
        boolean isUnconnected =
                ExceptionsHelper.unwrap(failure, ConnectTransportException.class, NodeClosedException.class) != null;
        if (ExceptionsHelper.unwrap(failure, ActionNotFoundTransportException.class) != null) {
            mute.add(node);
            known.remove(node);
            listener.onFailure(failure);
        } else if (isUnconnected && network.millis() < deadline) {
            network.later(() -> ask(node, question, deadline, listener));
        } else if (isUnconnected && network.others().contains(node) == false) {
            left(node); // it asked before the cluster state listed it, and left
            listener.onResponse(null);
        } else {
            listener.onFailure(failure);
        }
    }

    /** A known node may be new, and missing in this cluster state. */
    private boolean isGone(DiscoveryNode node) {
        return known.contains(node) == false && network.others().contains(node) == false;
    }

    PeerNetwork network() {
        return network;
    }

    /**
     * Rounds that wait until this node has met the others. They continue in order, because an earlier round of a bulk has
     * the originals. No thread waits. Thread-safe.
     */
    static final class MeetingQueue {

        /** Meets nodes; returns those that did not answer in time, with the reasons. */
        interface Meeting {
            void begin(Set<DiscoveryNode> strangers, long deadline, Consumer<Map<DiscoveryNode, Exception>> then);
        }

        /**
         * A waiting round.
         *
         * @param fork runs work on another thread, or reports why it cannot
         * @param listener gets strangers that did not answer, with the reasons
         */
        record Guest(
                Set<DiscoveryNode> strangers,
                long deadline,
                BiConsumer<Runnable, Consumer<Exception>> fork,
                ActionListener<Map<DiscoveryNode, Exception>> listener) {

            private void goOn(Map<DiscoveryNode, Exception> failures) {
                Map<DiscoveryNode, Exception> own = new HashMap<>(failures);
                own.keySet().retainAll(strangers);
                listener.onResponse(own);
            }
        }

        private final Meeting meeting;
        private final Deque<Guest> guests = new ArrayDeque<>();

        MeetingQueue(Meeting meeting) {
            this.meeting = meeting;
        }

        /** @return false if the round may enter now: all nodes are known, and no round waits */
        boolean join(Guest guest) {
            synchronized (this) {
                if (guest.strangers.isEmpty() && guests.isEmpty()) {
                    return false;
                }
                guests.add(guest);
                if (guests.size() > 1) {
                    return true; // The first round's meeting is under way.
                }
            }
            begin(guest);
            return true;
        }

        private void begin(Guest first) {
            meeting.begin(
                    first.strangers,
                    first.deadline,
                    failures -> first.fork.accept(() -> release(first.strangers, failures), this::fail));
        }

        private void release(Set<DiscoveryNode> asked, Map<DiscoveryNode, Exception> failures) {
            for (Guest guest = first(); guest != null; guest = next(guest)) {
                if (asked.containsAll(guest.strangers) == false) {
                    begin(guest);
                    return;
                }
                guest.goOn(failures);
            }
        }

        private void fail(Exception e) {
            for (Guest guest = first(); guest != null; guest = next(guest)) {
                guest.listener.onFailure(e);
            }
        }

        private synchronized Guest first() {
            return guests.peekFirst();
        }

        /** A round keeps its place until it has continued, so that new ones wait behind it. */
        private synchronized Guest next(Guest gone) {
            guests.removeFirstOccurrence(gone);
            return guests.peekFirst();
        }
    }
}
