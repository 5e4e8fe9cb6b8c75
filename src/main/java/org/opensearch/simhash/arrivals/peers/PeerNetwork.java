/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.peers;

import java.util.Collection;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;

/** Connects to other nodes. Blocks no thread. Thread-safe. */
public interface PeerNetwork {

    DiscoveryNode self();

    /** The other ingest nodes in the current cluster state. */
    Collection<DiscoveryNode> others();

    /** @param listener called on any thread */
    void send(DiscoveryNode node, PeerQuestion question, TimeValue timeout, ActionListener<PeerAnswer> listener);

    /** Runs work after a pause, in the caller's context. */
    void later(Runnable work);

    /** Milliseconds of a monotonic clock. */
    long millis();
}
