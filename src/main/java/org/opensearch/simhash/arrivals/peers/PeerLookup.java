/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivalOrder;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.core.memory.Account;

/**
 * Asks the other nodes about a round's documents. One request to each node is enough, unless its answer is too long or
 * has no original. No thread waits. Thread-safe.
 */
public final class PeerLookup {

    private final Peers peers;
    private final PeerOptions options;
    private final Criteria criteria;
    private final PeerQuestion.Rule rule;
    private final Account memory;
    private final PeerFindings findings = new PeerFindings();
    private Exception failure;
    private boolean isIncomplete;

    /**
     * @param configured indices to compare with; empty for each document's own
     * @param memory takes the bytes of answers, or refuses them
     */
    public PeerLookup(
            Peers peers, PeerOptions options, List<String> configured, Criteria criteria, LongConsumer memory) {
        this.peers = peers;
        this.options = options;
        this.criteria = criteria;
        this.rule = new PeerQuestion.Rule(
                configured, criteria.field(), criteria.verification() != null, criteria.conditions());
        this.memory = new Account(memory);
    }

    /**
     * Meets the other nodes, before the round enters. Rounds enter in the order of calls.
     *
     * @param fork runs work on another thread, or reports why it cannot
     * @param listener called after all answered or timed out
     * @return false if the round may enter now; then the listener is not called
     */
    public boolean meet(BiConsumer<Runnable, Consumer<Exception>> fork, ActionListener<Void> listener) {
        return options.asks()
                && peers.meet(deadline(), fork, ActionListener.map(listener, strangers -> {
                    strangers.forEach(this::unheard);
                    return null;
                }));
    }

    private long deadline() {
        return peers.network().millis() + options.timeout().millis();
    }

    /**
     * Asks all known nodes.
     *
     * @param arrivals of a round that has entered
     * @param then runs after all answered or timed out
     * @return false if there is no node; then {@code then} does not run
     */
    public boolean start(List<Arrival> arrivals, Runnable then) {
        Map<DiscoveryNode, List<Arrival>> asked = new HashMap<>();
        if (options.asks() && arrivals.isEmpty() == false) {
            peers.known().forEach(node -> asked.put(node, arrivals));
            if (peers.hasMute()) {
                leaveOut();
            }
        }
        ask(asked, then);
        return asked.isEmpty() == false;
    }

    /** Asks for more matches of documents without an original in the answers. */
    public void further(List<Arrival> arrivals, Runnable then) {
        Map<DiscoveryNode, List<Arrival>> asked = new HashMap<>();
        for (Arrival arrival : arrivals) {
            findings.nodesWithMore(arrival)
                    .forEach(node -> asked.computeIfAbsent(node, any -> new ArrayList<>())
                            .add(arrival));
        }
        ask(asked, then);
    }

    private void ask(Map<DiscoveryNode, List<Arrival>> asked, Runnable then) {
        AtomicInteger left = new AtomicInteger(asked.size());
        Runnable answered = () -> {
            if (left.decrementAndGet() == 0) {
                then.run();
            }
        };
        long deadline = deadline();
        asked.forEach((node, arrivals) -> ask(node, arrivals, deadline, answered));
    }

    private void ask(DiscoveryNode node, List<Arrival> arrivals, long deadline, Runnable answered) {
        List<PeerDocument> documents = arrivals.stream()
                .map(arrival -> PeerDocument.of(arrival, criteria, findings.wanted(arrival)))
                .toList();
        long stamp = ArrivalOrder.stamp(arrivals.getFirst().order());
        PeerQuestion question = new PeerQuestion(peers.network().self(), stamp, rule, documents);
        peers.ask(node, question, deadline, new ActionListener<>() {
            @Override
            public void onResponse(PeerAnswer answer) {
                int heard = answer == null ? end(node, arrivals) : note(node, arrivals, answer);
                if (heard < arrivals.size()) {
                    ask(node, arrivals.subList(heard, arrivals.size()), deadline, answered);
                } else {
                    answered.run();
                }
            }

            @Override
            public void onFailure(Exception e) {
                end(node, arrivals);
                unheard(node, e);
                answered.run();
            }
        });
    }

    private int end(DiscoveryNode node, List<Arrival> arrivals) {
        arrivals.forEach(arrival -> findings.end(arrival, node));
        return arrivals.size();
    }

    private int note(DiscoveryNode node, List<Arrival> arrivals, PeerAnswer answer) {
        int heard = Math.min(answer.documents().size(), arrivals.size());
        try {
            memory.take(answer.bytes());
        } catch (RuntimeException e) {
            fail(e);
            return arrivals.size();
        }
        for (int i = 0; i < heard; i++) {
            findings.note(arrivals.get(i), node, answer.documents().get(i));
        }
        return heard == 0 ? arrivals.size() : heard;
    }

    private void unheard(DiscoveryNode node, Exception cause) {
        if (options.leavesOut() || peers.isMute(node)) {
            leaveOut();
        } else {
            fail(new OpenSearchStatusException(
                    "node [" + node.getName() + "] does not say what it accepted lately: " + cause.getMessage(),
                    RestStatus.SERVICE_UNAVAILABLE,
                    cause));
        }
    }

    private synchronized void leaveOut() {
        isIncomplete = true;
    }

    private synchronized void fail(Exception e) {
        failure = e;
    }

    /** An error of all documents, or null. */
    public synchronized Exception failure() {
        return failure;
    }

    public synchronized boolean isIncomplete() {
        return isIncomplete;
    }

    public PeerFindings findings() {
        return findings;
    }

    public void close() {
        memory.close();
    }

    /**
     * @param leavesOut whether a node that times out is left out; if not, documents fail
     * @param timeout of a request with its retries
     */
    public record PeerOptions(boolean asks, boolean leavesOut, TimeValue timeout) {}
}
