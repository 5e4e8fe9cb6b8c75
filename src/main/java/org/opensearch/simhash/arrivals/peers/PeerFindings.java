/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.simhash.arrivals.arrival.Arrival;

/** Other nodes' answers about a round's documents. Thread-safe. */
public final class PeerFindings {

    /** Matches in the first question; each further one asks for four times as many. */
    private static final int WANTED = 8;

    /** After this number of matches the document fails. */
    public static final int MOST_WANTED = 10_000;

    private final Map<Arrival, Map<DiscoveryNode, PeerAnswer.Matches>> found = new HashMap<>();
    private final Map<Arrival, Integer> wanted = new HashMap<>();

    synchronized void note(Arrival arrival, DiscoveryNode node, PeerAnswer.Matches matches) {
        if (matches.matches().isEmpty() == false) {
            found.computeIfAbsent(arrival, any -> new HashMap<>()).put(node, matches);
        } else if (found.containsKey(arrival)) {
            found.get(arrival).remove(node);
        }
    }

    /** The node says no more. What it said counts. */
    synchronized void end(Arrival arrival, DiscoveryNode node) {
        found.getOrDefault(arrival, new HashMap<>())
                .computeIfPresent(node, (one, said) -> new PeerAnswer.Matches(said.matches(), false));
    }

    /** Earlier documents of other nodes, near this one. */
    public synchronized List<PeerMatch> matches(Arrival arrival) {
        return found.getOrDefault(arrival, Map.of()).values().stream()
                .flatMap(matches -> matches.matches().stream())
                .toList();
    }

    /** The distance below which all matches are known; the highest possible one if nodes know no more. */
    public synchronized int reached(Arrival arrival) {
        return found.getOrDefault(arrival, Map.of()).values().stream()
                .filter(PeerAnswer.Matches::hasMore)
                .mapToInt(matches -> matches.matches().getLast().distance())
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    synchronized List<DiscoveryNode> nodesWithMore(Arrival arrival) {
        return found.getOrDefault(arrival, Map.of()).entrySet().stream()
                .filter(entry -> entry.getValue().hasMore())
                .map(Entry::getKey)
                .toList();
    }

    synchronized int wanted(Arrival arrival) {
        return wanted.getOrDefault(arrival, WANTED);
    }

    /** Asks for more; returns false if that is too many. */
    public synchronized boolean wantMore(Arrival arrival) {
        return wanted.merge(arrival, 4 * WANTED, (before, any) -> 4 * before) < MOST_WANTED;
    }
}
