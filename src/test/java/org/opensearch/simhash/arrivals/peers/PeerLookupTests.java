/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.peers.PeerLookup.PeerOptions;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome.Fate;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.arrivals.window.RecentTexts;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.query.Archives;

/** Messages between two nodes are bounded, and nothing that counts is missed. */
class PeerLookupTests {

    private static final Verification TEXTS = new Verification("content", Measure.JACCARD, 3, 0.8, null);
    private static final int TEXT = 200_000;
    private static final int THERE = 40;

    private final AtomicLong memory = new AtomicLong();
    private final List<Integer> asked = new ArrayList<>();
    /** Which question each undecided document held up, from 1. */
    private final List<Integer> awaited = new ArrayList<>();

    private final DiscoveryNode here = node("here", 1);
    private final DiscoveryNode there = node("there", 2);
    private final ArrivalWindow window = window();
    private final ArrivalWindow otherWindow = window();
    private final RecentTexts texts = new RecentTexts(bytes -> {}, Long.MAX_VALUE);
    private final PeerAnswers answers = new PeerAnswers(
            otherWindow,
            texts,
            new Peers(otherWindow, new Network(there, here)),
            configured -> new LookupScopes(
                    ClusterState.EMPTY_STATE,
                    new IndexNameExpressionResolver(new ThreadContext(Settings.EMPTY)),
                    new Archives(),
                    configured),
            memory::addAndGet,
            (numbers, then, onFailure) -> {
                numbers.forEach(number -> awaited.add(asked.size()));
                then.run();
            });
    private final Peers peers = new Peers(window, new Network(here, there));
    /** Answers in place of the other node. */
    private Consumer<ActionListener<PeerAnswer>> instead;

    /** The other node answers at once. */
    private final class Network implements PeerNetwork {

        private final DiscoveryNode self;
        private final DiscoveryNode other;

        Network(DiscoveryNode self, DiscoveryNode other) {
            this.self = self;
            this.other = other;
        }

        @Override
        public DiscoveryNode self() {
            return self;
        }

        @Override
        public Collection<DiscoveryNode> others() {
            return List.of(other);
        }

        @Override
        public void send(
                DiscoveryNode node, PeerQuestion question, TimeValue timeout, ActionListener<PeerAnswer> listener) {
            asked.add(question.documents().size());
            if (instead != null) {
                instead.accept(listener);
                return;
            }
            answers.answer(
                    PeerModel.sent(question, PeerQuestion::new),
                    ActionListener.wrap(
                            answer -> listener.onResponse(PeerModel.sent(answer, PeerAnswer::new)),
                            listener::onFailure));
        }

        @Override
        public void later(Runnable work) {
            work.run();
        }

        @Override
        public long millis() {
            return 0;
        }
    }

    private static DiscoveryNode node(String id, int port) {
        return new DiscoveryNode(
                id, new TransportAddress(InetAddress.getLoopbackAddress(), port), Map.of(), Set.of(), Version.CURRENT);
    }

    private static ArrivalWindow window() {
        return new ArrivalWindow(
                () -> 0, bytes -> {}, () -> Long.MAX_VALUE, new ArrivalWindow.Bounds(1_000, 1_000_000));
    }

    private void fill(int length) {
        for (int i = 0; i < THERE; i++) {
            Arrival arrival = Arrivals.of("there" + i, 0);
            long number = otherWindow.admit(List.of(arrival));
            texts.put(number, Map.of("content", Character.toString('a' + i).repeat(length)), List.of("content"));
            otherWindow.decide(List.of(new ArrivalOutcome(number, Fate.KEPT, arrival.name(), null)));
        }
    }

    private static boolean meet(PeerLookup lookup) {
        return lookup.meet((work, onFailure) -> work.run(), ActionListener.wrap(() -> {}));
    }

    private PeerLookup lookup(boolean withTexts) {
        PeerOptions options = new PeerOptions(true, false, TimeValue.timeValueSeconds(1));
        Verification verification = withTexts ? TEXTS : null;
        PeerLookup lookup =
                new PeerLookup(peers, options, List.of(), Arrivals.criteria(3, verification), memory::addAndGet);
        assertTrue(meet(lookup));
        assertFalse(meet(lookup), "known by now");
        asked.clear();
        return lookup;
    }

    private List<Arrival> arrivals() {
        List<Arrival> arrivals = List.of(Arrivals.of("a", 0), Arrivals.of("b", 1), Arrivals.of("c", 3));
        window.admit(arrivals);
        return arrivals;
    }

    @Test
    void testWhatAnAnswerLeavesOutIsAskedForAgain() {
        for (int i = 0; i < THERE; i++) {
            Arrival arrival = Arrivals.of("there" + i, i < THERE / 2 ? 0 : ~0L);
            long number = otherWindow.admit(List.of(arrival));
            texts.put(number, Map.of("content", Character.toString('a' + i).repeat(4 * TEXT)), List.of("content"));
            otherWindow.decide(List.of(new ArrivalOutcome(number, Fate.KEPT, arrival.name(), null)));
        }
        PeerLookup lookup = lookup(true);
        List<Arrival> arrivals = List.of(Arrivals.of("a", 0), Arrivals.of("b", ~0L), Arrivals.of("c", 1));
        window.admit(arrivals);
        assertTrue(lookup.start(arrivals, () -> {}));
        assertEquals(List.of(3, 2, 1), asked);
        arrivals.forEach(
                arrival -> assertEquals(8, lookup.findings().matches(arrival).size()));
        assertTrue(memory.get() > 8L * TEXT, () -> memory + " bytes");
        lookup.close();
        assertEquals(0, memory.get());
    }

    @Test
    void testWhatAnAnswerLeavesOutIsNotLookedFor() {
        fill(4 * TEXT);
        otherWindow.admit(List.of(Arrivals.of("undecided", ~0L)));
        PeerLookup lookup = lookup(true);
        List<Arrival> arrivals = List.of(Arrivals.of("a", 0), Arrivals.of("b", ~0L));
        window.admit(arrivals);
        lookup.start(arrivals, () -> {});
        assertEquals(List.of(2, 1), asked);
        assertEquals(List.of(2), awaited);
        assertEquals(1, lookup.findings().matches(arrivals.get(1)).size());
    }

    @Test
    void testATextIsSentOnce() {
        fill(TEXT);
        PeerLookup lookup = lookup(true);
        List<Arrival> arrivals = arrivals();
        lookup.start(arrivals, () -> {});
        assertEquals(List.of(3), asked);
        List<PeerMatch> first = lookup.findings().matches(arrivals.get(0));
        List<PeerMatch> second = lookup.findings().matches(arrivals.get(1));
        assertSame(first.getFirst().text(), second.getFirst().text());
        assertNotSame(first.get(0).text(), first.get(1).text());
        assertEquals("there0", first.getFirst().name().id());
    }

    @Test
    void testMoreIsAskedOfOneDocumentAlone() {
        fill(TEXT);
        PeerLookup lookup = lookup(false);
        List<Arrival> arrivals = arrivals();
        lookup.start(arrivals, () -> {});
        Arrival one = arrivals.get(1);
        assertFalse(lookup.findings().nodesWithMore(one).isEmpty());
        assertEquals(1, lookup.findings().reached(one));
        assertTrue(lookup.findings().wantMore(one));
        lookup.further(List.of(one), () -> {});
        assertEquals(List.of(3, 1), asked);
        assertEquals(32, lookup.findings().matches(one).size());
        assertTrue(lookup.findings().wantMore(one));
        lookup.further(List.of(one), () -> {});
        assertEquals(THERE, lookup.findings().matches(one).size());
        assertTrue(lookup.findings().nodesWithMore(one).isEmpty());
        assertEquals(8, lookup.findings().matches(arrivals.get(0)).size());
    }

    /** It is not asked again and again for what it had when it was asked first. */
    @Test
    void testANodeThatAnswersWithLessOrNoLongerHasNoMore() {
        fill(TEXT);
        PeerLookup lookup = lookup(false);
        List<Arrival> arrivals = arrivals();
        lookup.start(arrivals, () -> {});
        Arrival emptied = arrivals.get(0);
        Arrival silent = arrivals.get(1);
        List<PeerMatch> said = lookup.findings().matches(silent);
        instead = listener ->
                listener.onResponse(new PeerAnswer(0, 0, List.of(new PeerAnswer.Matches(List.of(), false))));
        lookup.further(List.of(emptied), () -> {});
        assertTrue(lookup.findings().nodesWithMore(emptied).isEmpty());
        assertEquals(List.of(), lookup.findings().matches(emptied));
        instead = listener -> listener.onFailure(new OpenSearchTimeoutException("late"));
        lookup.further(List.of(silent), () -> {});
        assertTrue(lookup.findings().nodesWithMore(silent).isEmpty());
        assertEquals(said, lookup.findings().matches(silent));
    }

    @Test
    void testWithoutMemoryForAnAnswerNothingIsKnown() {
        fill(TEXT);
        PeerOptions options = new PeerOptions(true, false, TimeValue.timeValueSeconds(1));
        PeerLookup lookup = new PeerLookup(peers, options, List.of(), Arrivals.criteria(3, null), bytes -> {
            throw new CircuitBreakingException("none", CircuitBreaker.Durability.TRANSIENT);
        });
        meet(lookup);
        lookup.start(arrivals(), () -> {});
        assertInstanceOf(CircuitBreakingException.class, lookup.failure());
    }
}
