/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opensearch.Version;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.arrivals.peers.Peers.MeetingQueue;
import org.opensearch.test.OpenSearchTestCase;

/** Rounds continue in order of arrival, whichever node answers first. */
class MeetingQueueTests {

    private final DiscoveryNode one = node("one");
    private final DiscoveryNode two = node("two");
    private final List<Set<DiscoveryNode>> asked = new ArrayList<>();
    private final List<Consumer<Map<DiscoveryNode, Exception>>> answers = new ArrayList<>();
    private final List<String> gone = new ArrayList<>();
    private final MeetingQueue queue = new MeetingQueue((strangers, deadline, then) -> {
        asked.add(strangers);
        answers.add(then);
    });

    private static DiscoveryNode node(String id) {
        return new DiscoveryNode(id, OpenSearchTestCase.buildNewFakeTransportAddress(), Version.CURRENT);
    }

    private boolean join(String round, DiscoveryNode... strangers) {
        return join(round, () -> {}, strangers);
    }

    private boolean join(String round, Runnable meanwhile, DiscoveryNode... strangers) {
        return queue.join(new MeetingQueue.Guest(
                Set.of(strangers),
                0,
                (work, onFailure) -> work.run(),
                ActionListener.wrap(
                        failures -> {
                            gone.add(round + " "
                                    + failures.keySet().stream()
                                            .map(DiscoveryNode::getId)
                                            .toList());
                            meanwhile.run();
                        },
                        e -> gone.add(round + " " + e.getMessage()))));
    }

    @Test
    void testNobodyWaitsWhereAllAreKnown() {
        assertFalse(join("a"));
        assertEquals(List.of(), asked);
    }

    @Test
    void testOneMeetingServesAllThatCameDuringIt() {
        assertTrue(join("a", one, two));
        assertTrue(join("b", two));
        assertTrue(join("c"), "it knows all, but is not the first");
        assertEquals(List.of(Set.of(one, two)), asked);
        answers.getFirst().accept(Map.of(one, new Exception("mute")));
        assertEquals(List.of("a [one]", "b []", "c []"), gone);
        assertFalse(join("d"));
    }

    @Test
    void testARoundThatComesWhileOthersGoOnIsBehindThem() {
        join("a", () -> assertTrue(join("c")), one);
        join("b", one);
        answers.getFirst().accept(Map.of());
        assertEquals(List.of("a []", "b []", "c []"), gone);
    }

    @Test
    void testANodeThatCameLaterIsMetNext() {
        join("a", one);
        join("b", one, two);
        join("c", two);
        answers.getFirst().accept(Map.of());
        assertEquals(List.of("a []"), gone);
        assertEquals(List.of(Set.of(one), Set.of(one, two)), asked);
        answers.get(1).accept(Map.of(two, new Exception("mute")));
        assertEquals(List.of("a []", "b [two]", "c [two]"), gone);
    }

    @Test
    void testWithoutThreadsAllFail() {
        Stream.of("a", "b")
                .forEach(round -> queue.join(new MeetingQueue.Guest(
                        Set.of(one),
                        0,
                        (work, onFailure) -> onFailure.accept(new Exception("closed")),
                        ActionListener.wrap(any -> gone.add(round), e -> gone.add(round + " " + e.getMessage())))));
        answers.getFirst().accept(Map.of());
        assertEquals(List.of("a closed", "b closed"), gone);
        assertFalse(join("c"));
    }
}
