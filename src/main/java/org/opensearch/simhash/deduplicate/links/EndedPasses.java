/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.memory.Account;

/**
 * Passes that have ended, until it is their turn to be looked at. What they found is paid for meanwhile: the answers of many nodes
 * may come at once. Thread-safe.
 */
final class EndedPasses implements AutoCloseable {

    private final BlockingQueue<Ended> queue = new LinkedBlockingQueue<>();
    private final Account memory;
    private boolean isClosed;

    /** @param memory is told the bytes of answers that wait, and may refuse them: such a pass has failed */
    EndedPasses(LongConsumer memory) {
        this.memory = new Account(memory);
    }

    /**
     * How a pass ended.
     *
     * @param response null when it failed
     * @param failure null when it did not
     * @param isOfNode whether it was its node that failed, and another one may do better
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

    /** The next one, which is paid for by whoever takes it from now on; null when there is none for so long. */
    Ended poll(long millis) throws InterruptedException {
        Ended next = queue.poll(millis, TimeUnit.MILLISECONDS);
        if (next != null && next.response != null) {
            memory.give(next.response.found().cliques().bytes());
        }
        return next;
    }

    /** Those that are still on their way are not looked at any more. */
    @Override
    public synchronized void close() {
        isClosed = true;
        memory.close();
    }
}
