/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.memory.Account;

/** A queue of finished passes. It accounts for their results, because many nodes may answer at once. Thread-safe. */
final class EndedPasses implements AutoCloseable {

    private final BlockingQueue<Ended> queue = new LinkedBlockingQueue<>();
    private final Account memory;
    private boolean isClosed;

    /** @param memory pays for waiting results; a pass whose result it refuses has failed */
    EndedPasses(LongConsumer memory) {
        this.memory = new Account(memory);
    }

    /**
     * @param response null if the pass failed
     * @param failure null if it did not
     * @param isOfNode whether the node failed, so that another one may succeed
     */
    record Ended(
            DiscoveryNode node,
            Chunks pass,
            PairsAction.Response response,
            RuntimeException failure,
            boolean isOfNode) {}

    synchronized void add(DiscoveryNode node, Chunks pass, PairsAction.Response response) {
        if (isClosed) {
            return;
        }
        try {
            memory.take(response.found().cliques().bytes());
            queue.add(new Ended(node, pass, response, null, false));
        } catch (RuntimeException e) {
            queue.add(new Ended(node, pass, null, e, false));
        }
    }

    void fail(DiscoveryNode node, Chunks pass, RuntimeException failure) {
        queue.add(new Ended(node, pass, null, failure, true));
    }

    /** The next pass, for whose result the caller now accounts; null after the time. */
    Ended poll(long millis) throws InterruptedException {
        Ended next = queue.poll(millis, TimeUnit.MILLISECONDS);
        if (next != null && next.response != null) {
            memory.give(next.response.found().cliques().bytes());
        }
        return next;
    }

    /** Ignores passes that still run. */
    @Override
    public synchronized void close() {
        isClosed = true;
        memory.close();
    }
}
