/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.lookup;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.search.query.SimHashQueries;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * Shared services for a node's lookups. Thread-safe.
 *
 * @param timeout of each search and each get, as currently set
 * @param cancelledAfter the time after which a search is cancelled, as currently set
 */
public record NodeLookups(
        Client client,
        SimHashQueries queries,
        LookupGate gate,
        Supplier<TimeValue> timeout,
        Supplier<TimeValue> cancelledAfter) {

    public ThreadContext threadContext() {
        return client.threadPool().getThreadContext();
    }

    /** Sends a request. After the timeout of a lookup the listener gets a failure, and the answer is ignored. */
    <A> void send(ActionListener<A> listener, Consumer<ActionListener<A>> request) {
        ActionListener<A> timed = listener;
        try {
            timed = ListenerTimeouts.wrapWithTimeout(
                    client.threadPool(), listener, timeout.get(), ThreadPool.Names.SAME, "near_duplicate lookup");
            request.accept(timed);
        } catch (Exception e) {
            timed.onFailure(e);
        }
    }

    /** Runs work on a write thread, which must not refuse it: results would be lost. */
    public void fork(Runnable work, Consumer<Exception> onFailure) {
        client.threadPool()
                .executor(ThreadPool.Names.WRITE)
                .execute(new ActionRunnable<Void>(ActionListener.wrap(nothing -> {}, onFailure)) {
                    @Override
                    protected void doRun() {
                        work.run();
                    }

                    @Override
                    public boolean isForceExecution() {
                        return true;
                    }
                });
    }

    /** Limits concurrent lookups, so that bulks do not flood the search threads. Further ones wait in order, without a thread. Thread-safe. */
    public static final class LookupGate {

        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int free;

        /** @param width lookups at a time */
        public LookupGate(int width) {
            this.free = width;
        }

        /** Runs a lookup now, or later in its turn. It must {@link #leave} in any case. */
        void enter(Runnable lookup) {
            synchronized (this) {
                if (free == 0) {
                    waiting.add(lookup);
                    return;
                }
                free--;
            }
            lookup.run();
        }

        void leave() {
            Runnable following;
            synchronized (this) {
                following = waiting.poll();
                if (following == null) {
                    free++;
                    return;
                }
            }
            following.run();
        }

        synchronized int waiting() {
            return waiting.size();
        }
    }
}
