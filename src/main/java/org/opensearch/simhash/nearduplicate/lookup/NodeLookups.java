/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.lookup;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.query.SimHashQueries;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * What the lookups of a node that is up share: the way to the index, and the threads that go on with the answers. Thread-safe.
 *
 * @param gate rounds go through, some at a time
 * @param timeout of each search and each get, at the moment
 * @param cancelledAfter when a search is cancelled, at the moment
 */
public record NodeLookups(
        Client client,
        SimHashQueries queries,
        LookupGate gate,
        Supplier<TimeValue> timeout,
        Supplier<TimeValue> cancelledAfter) {

    /** Of the node's threads. */
    public ThreadContext threadContext() {
        return client.threadPool().getThreadContext();
    }

    /** On a thread for writing, which must not be refused: what was looked up would be lost. */
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
}
