/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.util.Collection;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.lifecycle.AbstractLifecycleComponent;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.arrivals.durable.NodeCall;
import org.opensearch.simhash.arrivals.peers.PeerAnswer;
import org.opensearch.simhash.arrivals.peers.PeerAnswers;
import org.opensearch.simhash.arrivals.peers.PeerNetwork;
import org.opensearch.simhash.arrivals.peers.PeerQuestion;
import org.opensearch.simhash.arrivals.peers.Peers;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportException;
import org.opensearch.transport.TransportService;

/** Carries {@link PeerQuestion}s between nodes. They are internal messages without privileges of users. Thread-safe. */
public final class WindowService extends AbstractLifecycleComponent implements PeerNetwork, ClusterStateListener {

    private static final NodeCall<PeerQuestion, PeerAnswer> QUESTION = new NodeCall<>(
            "internal:simhash/near_duplicate/window",
            (out, question) -> question.writeTo(out),
            PeerQuestion::new,
            (out, answer) -> answer.writeTo(out),
            PeerAnswer::new);

    private static final TimeValue PAUSE = TimeValue.timeValueMillis(100);

    private final TransportService transport;
    private final ClusterService cluster;
    private final Peers peers;

    @Inject
    public WindowService(TransportService transport, ClusterService cluster, NearDuplicates nearDuplicates) {
        this.transport = transport;
        this.cluster = cluster;
        PeerAnswers answers = nearDuplicates.connect(this);
        this.peers = answers.peers();
        // Documents of other nodes wait for the answer, so it must not be refused.
        QUESTION.serve(transport, ThreadPool.Names.GET, true, answers::answer);
    }

    @Override
    protected void doStart() {
        cluster.addListener(this);
    }

    @Override
    protected void doStop() {
        cluster.removeListener(this);
    }

    @Override
    protected void doClose() {}

    @Override
    public void clusterChanged(ClusterChangedEvent event) {
        if (event.nodesRemoved()) {
            event.nodesDelta().removedNodes().forEach(peers::left);
        }
    }

    @Override
    public DiscoveryNode self() {
        return transport.getLocalNode();
    }

    @Override
    public Collection<DiscoveryNode> others() {
        DiscoveryNode self = self();
        return cluster.state().nodes().getIngestNodes().values().stream()
                .filter(node -> node.equals(self) == false)
                .toList();
    }

    @Override
    public void send(
            DiscoveryNode node, PeerQuestion question, TimeValue timeout, ActionListener<PeerAnswer> listener) {
        try {
            QUESTION.ask(transport, node, question, null, timeout, listener);
        } catch (TransportException e) {
            listener.onFailure(e);
        }
    }

    @Override
    public void later(Runnable work) {
        ThreadPool threads = transport.getThreadPool();
        threads.schedule(threads.getThreadContext().preserveContext(work), PAUSE, ThreadPool.Names.GENERIC);
    }

    @Override
    public long millis() {
        return transport.getThreadPool().relativeTimeInMillis();
    }
}
