/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.peers.PeerLookup.PeerOptions;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome.Fate;
import org.opensearch.simhash.arrivals.window.WindowCandidates;
import org.opensearch.simhash.arrivals.window.WindowVersion;

/** A round that knows only windows. The original is the first kept document before it that is near. One thread. */
final class PeerModelRound {

    private static final int MAX_DISTANCE = 3;
    private static final Criteria CRITERIA = Arrivals.criteria(MAX_DISTANCE, null);
    private static final PeerOptions OPTIONS = new PeerOptions(true, false, TimeValue.timeValueMillis(20_000));

    private final PeerModel model;
    private final PeerModelNode node;
    private final List<Arrival> arrivals;
    private final PeerLookup lookup;
    private final Set<Long> awaited = new HashSet<>();
    private final Map<String, String> verdicts = new HashMap<>();

    PeerModelRound(PeerModel model, PeerModelNode node, List<Arrival> arrivals) {
        this.model = model;
        this.node = node;
        this.arrivals = arrivals;
        this.lookup = new PeerLookup(node.peers(), OPTIONS, List.of(), CRITERIA, bytes -> {});
    }

    void start() {
        ActionListener<Void> met = ActionListener.wrap(nothing -> enter(), e -> {
            throw new AssertionError(e);
        });
        if (lookup.meet((work, onFailure) -> node.later(work), met) == false) {
            enter();
        }
    }

    private void enter() {
        long first = node.window().admit(arrivals);
        for (int i = 0; i < arrivals.size(); i++) {
            arrivals.get(i).numbered(first + i);
            node.undecidedNumbers().add(first + i);
        }
        // Others may come between.
        node.later(() -> {
            if (lookup.start(arrivals, () -> node.later(this::settle)) == false) {
                settle();
            }
        });
    }

    private void settle() {
        List<Long> undecided = new ArrayList<>();
        Map<Arrival, List<Original>> found = new HashMap<>();
        for (Arrival arrival : arrivals) {
            WindowCandidates candidates = new WindowCandidates();
            candidates.look(node.window(), arrival, MAX_DISTANCE, any -> 1);
            found.put(arrival, candidates.found());
            Set<Long> numbers =
                    candidates.found().stream().map(Original::number).collect(Collectors.toSet());
            node.window().versions(numbers).values().stream()
                    .filter(WindowVersion::isUndecided)
                    .map(WindowVersion::number)
                    .filter(number -> number < arrivals.getFirst().number())
                    .filter(awaited::add)
                    .forEach(undecided::add);
        }
        if (undecided.isEmpty()) {
            decide(found);
        } else {
            node.whenDecided(undecided, this::settle);
        }
    }

    private void decide(Map<Arrival, List<Original>> found) {
        assertNull(lookup.failure());
        List<ArrivalOutcome> outcomes = new ArrayList<>();
        Set<Long> ended = new HashSet<>();
        for (Arrival arrival : arrivals) {
            String original = original(arrival, found.get(arrival), ended);
            boolean ends = model.isDropping() && original.isEmpty() == false;
            if (ends) {
                ended.add(arrival.number());
            }
            verdicts.put(arrival.name().id(), original);
            outcomes.add(new ArrivalOutcome(arrival.number(), ends ? Fate.ENDED : Fate.KEPT, arrival.name(), null));
        }
        node.window().decide(outcomes);
        node.decided(arrivals);
        node.ended();
        model.decided(this);
    }

    private String original(Arrival arrival, List<Original> found, Set<Long> ended) {
        Map<Long, String> byOrder = new HashMap<>();
        Set<Long> numbers = found.stream().map(Original::number).collect(Collectors.toSet());
        node.window().versions(numbers).values().stream()
                .filter(version -> ended.contains(version.number()) == false)
                .forEach(version -> byOrder.put(version.order(), version.name().id()));
        for (PeerMatch match : lookup.findings().matches(arrival)) {
            assertTrue(match.isCertain(), "an answer has what is decided alone");
            byOrder.put(match.order(), match.name().id());
        }
        return byOrder.entrySet().stream()
                .min(Comparator.comparing(Map.Entry::getKey))
                .map(Map.Entry::getValue)
                .orElse("");
    }

    List<Integer> families() {
        return verdicts.keySet().stream().map(PeerModel::family).distinct().toList();
    }

    /** Originals in a family by id of the document; empty for none. */
    Map<String, String> verdicts(int family) {
        return verdicts.entrySet().stream()
                .filter(entry -> PeerModel.family(entry.getKey()) == family)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
