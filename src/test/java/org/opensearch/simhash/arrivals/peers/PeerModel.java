/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;

/**
 * A model of a cluster. All events happen in any order, step by step: nodes join, restart and are killed; cluster
 * states and messages arrive at any time; documents arrive and are decided.
 */
final class PeerModel {

    /** Documents of one family are near each other, and far from others. */
    private static final int FAMILIES = 6;

    private static final int MOST_NODES = 4;

    private final Random random;
    private final boolean isKilling;
    private final boolean isDropping;
    private final List<Runnable> events = new ArrayList<>();
    private final List<PeerModelNode> nodes = new ArrayList<>();
    private final Map<Integer, List<PeerModelRound>> families = new HashMap<>();
    private final Map<DiscoveryNode, PeerModelNode> all = new HashMap<>();
    private final Map<PeerModelNode, List<Runnable>> onKill = new HashMap<>();
    private long now;
    private int documents;
    private int joined;
    /** Families with documents on a killed node: these are unknown. */
    private final List<Integer> broken = new ArrayList<>();

    PeerModel(long seed, boolean isKilling) {
        this.random = new Random(seed);
        this.isKilling = isKilling;
        this.isDropping = random.nextBoolean();
    }

    /** Runs a number of steps, and then until nothing is left to do. */
    void run(int steps) {
        join();
        for (int step = 0; step < steps; step++) {
            int what = random.nextInt(100);
            if (what < 3 && nodes.size() < MOST_NODES) {
                join();
            } else if (what < 4 && isKilling && nodes.size() > 1) {
                kill(nodes.get(random.nextInt(nodes.size())));
            } else if (what < 25) {
                take();
            } else {
                happen();
            }
        }
        while (events.isEmpty() == false) {
            happen();
            assertTrue(now < 1_000_000, "it goes on for ever");
        }
        check();
    }

    private void happen() {
        now++;
        if (events.isEmpty() == false) {
            int last = events.size() - 1;
            int any = random.nextInt(events.size());
            Runnable event = events.get(any);
            events.set(any, events.get(last));
            events.remove(last);
            event.run();
        }
    }

    /** An event happens at any time. */
    void later(Runnable event) {
        events.add(event);
    }

    private void join() {
        PeerModelNode node = new PeerModelNode(this, freeId(), joined++);
        for (PeerModelNode other : nodes) {
            node.sees(other);
            later(other.news(() -> other.sees(node)));
        }
        nodes.add(node);
        all.put(node.self(), node);
    }

    /** A killed node's id may be used again, but two nodes of a cluster never have the same. */
    private String freeId() {
        Set<String> taken = nodes.stream().map(node -> node.self().getId()).collect(Collectors.toSet());
        return Stream.generate(() -> "node" + random.nextInt(1_000))
                .filter(id -> taken.contains(id) == false)
                .findFirst()
                .orElseThrow();
    }

    private void kill(PeerModelNode node) {
        nodes.remove(node);
        node.kill();
        broken.addAll(node.families());
        onKill.getOrDefault(node, List.of()).forEach(this::later);
        nodes.forEach(other -> later(other.news(() -> other.unsees(node))));
    }

    /** A node takes a bulk. */
    private void take() {
        PeerModelNode node = nodes.get(random.nextInt(nodes.size()));
        List<Arrival> arrivals = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            int family = random.nextInt(FAMILIES);
            long bits = Arrivals.flipped(new Random(family).nextLong(), random.nextInt(2), random);
            arrivals.add(Arrivals.of("f" + family + "-" + documents++, bits));
        }
        node.take(arrivals);
    }

    static int family(String id) {
        return id.charAt(1) - '0';
    }

    void decided(PeerModelRound round) {
        round.families()
                .forEach(family -> families.computeIfAbsent(family, any -> new ArrayList<>())
                        .add(round));
    }

    boolean isDropping() {
        return isDropping;
    }

    /** A present or former node, or null. */
    PeerModelNode node(DiscoveryNode discovered) {
        return all.get(discovered);
    }

    /** A node that waits for an answer hears of the kill, at any time. */
    void whenKilled(PeerModelNode node, Runnable heard) {
        onKill.computeIfAbsent(node, any -> new ArrayList<>()).add(heard);
    }

    boolean isThere(PeerModelNode node) {
        return nodes.contains(node);
    }

    long now() {
        return now;
    }

    /** Through serialisation. */
    static <T extends Writeable> T sent(T message, Writeable.Reader<T> reader) {
        try (BytesStreamOutput out = new BytesStreamOutput()) {
            message.writeTo(out);
            StreamInput in = out.bytes().streamInput();
            T read = reader.read(in);
            assertEquals(0, in.available(), "bytes left");
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void check() {
        nodes.forEach(node -> assertEquals(0, node.undecided(), "rounds that are not decided"));
        families.forEach((family, rounds) -> {
            Map<String, String> originals = new HashMap<>();
            rounds.forEach(round -> round.verdicts(family).forEach(originals::put));
            List<String> first = originals.entrySet().stream()
                    .filter(entry -> entry.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
            if (broken.contains(family) == false) {
                assertEquals(1, first.size(), () -> "originals of " + originals);
            }
            originals.keySet().forEach(id -> follow(id, originals));
        });
    }

    /** Follows originals, and asserts that they form no circle. */
    private void follow(String from, Map<String, String> originals) {
        String id = from;
        for (int steps = 0; originals.getOrDefault(id, "").isEmpty() == false; steps++) {
            assertTrue(steps <= originals.size(), () -> "a circle in " + originals);
            id = originals.get(id);
        }
    }
}
