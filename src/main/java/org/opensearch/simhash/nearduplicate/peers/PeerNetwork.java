/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.peers;

import java.util.Collection;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;

/** The way to other nodes. Blocks no thread. Thread-safe. */
public interface PeerNetwork {

    DiscoveryNode self();

    /** The other nodes of the cluster that may run pipelines, as the cluster's state is at the moment. */
    Collection<DiscoveryNode> others();

    /** @param listener is told the answer, or what went wrong, on any thread */
    void send(DiscoveryNode node, PeerQuestion question, TimeValue timeout, ActionListener<PeerAnswer> listener);

    /** Runs something after a moment, in the context of whoever calls this. */
    void later(Runnable work);

    /** Milliseconds that never run backwards. */
    long millis();
}
