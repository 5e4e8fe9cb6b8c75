/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.arrivals.window.RecentTexts;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.transport.NodeDisconnectedException;

/** A node of a {@link PeerModel}, with the real window, questions and answers. One thread. */
final class PeerModelNode implements PeerNetwork {

    private static final long LONG = 1_000_000_000;

    private final PeerModel model;
    private final DiscoveryNode self;
    private final ArrivalWindow window;
    private final Peers peers;
    private final PeerAnswers answers;
    private final Map<DiscoveryNode, PeerModelNode> others = new LinkedHashMap<>();
    private final Set<Long> undecided = new HashSet<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private final Queue<Runnable> states = new ArrayDeque<>();
    private final Set<Integer> families = new HashSet<>();
    private int rounds;

    PeerModelNode(PeerModel model, String id, int port) {
        this.model = model;
        // The ephemeral id is its hash code, and so the order in which nodes are asked: a seed repeats a run.
        TransportAddress address = new TransportAddress(InetAddress.getLoopbackAddress(), 1 + port);
        this.self = new DiscoveryNode(
                id,
                id,
                "start" + port,
                address.address().getHostString(),
                address.getAddress(),
                address,
                Map.of(),
                Set.of(),
                Version.CURRENT);
        this.window = new ArrivalWindow(
                model::now, bytes -> {}, () -> Long.MAX_VALUE, new ArrivalWindow.Bounds(LONG, 1_000_000));
        this.peers = new Peers(window, this);
        this.answers = new PeerAnswers(
                window,
                new RecentTexts(bytes -> {}, 0),
                peers,
                configured -> new LookupScopes(
                        ClusterState.EMPTY_STATE,
                        new IndexNameExpressionResolver(new ThreadContext(Settings.EMPTY)),
                        new Archives(),
                        configured),
                bytes -> {},
                (numbers, then, onFailure) -> whenDecided(numbers, then));
    }

    /** Cluster states arrive in order: takes the next one, whichever it is. */
    Runnable news(Runnable state) {
        states.add(state);
        return () -> states.remove().run();
    }

    void sees(PeerModelNode other) {
        others.put(other.self, other);
    }

    /** As a listener sees a changed cluster state. */
    void unsees(PeerModelNode other) {
        others.remove(other.self);
        peers.left(other.self);
    }

    void take(List<Arrival> arrivals) {
        arrivals.forEach(arrival -> families.add(PeerModel.family(arrival.name().id())));
        rounds++;
        new PeerModelRound(model, this, arrivals).start();
    }

    void kill() {
        waiting.clear();
        rounds = 0;
    }

    void ended() {
        rounds--;
    }

    int undecided() {
        return rounds;
    }

    Set<Integer> families() {
        return families;
    }

    ArrivalWindow window() {
        return window;
    }

    Peers peers() {
        return peers;
    }

    Set<Long> undecidedNumbers() {
        return undecided;
    }

    void whenDecided(Collection<Long> numbers, Runnable then) {
        if (numbers.stream().anyMatch(undecided::contains)) {
            waiting.add(() -> whenDecided(numbers, then));
        } else {
            model.later(then);
        }
    }

    void decided(List<Arrival> arrivals) {
        arrivals.forEach(arrival -> undecided.remove(arrival.number()));
        List<Runnable> woken = List.copyOf(waiting);
        waiting.clear();
        woken.forEach(Runnable::run);
    }

    @Override
    public DiscoveryNode self() {
        return self;
    }

    @Override
    public Collection<DiscoveryNode> others() {
        return List.copyOf(others.keySet());
    }

    @Override
    public void send(
            DiscoveryNode node, PeerQuestion question, TimeValue timeout, ActionListener<PeerAnswer> listener) {
        PeerQuestion sent = PeerModel.sent(question, PeerQuestion::new);
        // A node that asked may still be unknown to others.
        PeerModelNode other = model.node(node);
        model.later(() -> {
            if (other == null || model.isThere(other) == false) {
                fail(node, listener);
            } else {
                ActionListener<PeerAnswer> once = ActionListener.notifyOnce(listener);
                model.whenKilled(other, () -> fail(node, once));
                other.answers.answer(
                        sent, ActionListener.wrap(answer -> back(PeerModel.sent(answer, PeerAnswer::new), once), e -> {
                            throw new AssertionError(e);
                        }));
            }
        });
    }

    private void back(PeerAnswer answer, ActionListener<PeerAnswer> listener) {
        model.later(() -> {
            if (model.isThere(this)) {
                listener.onResponse(answer);
            }
        });
    }

    private void fail(DiscoveryNode node, ActionListener<PeerAnswer> listener) {
        if (model.isThere(this)) {
            listener.onFailure(new NodeDisconnectedException(node, "killed"));
        }
    }

    @Override
    public void later(Runnable work) {
        model.later(() -> {
            if (model.isThere(this)) {
                work.run();
            }
        });
    }

    @Override
    public long millis() {
        return model.now();
    }
}
