/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.request;

import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Answers on a generic thread, which may block, with the caller's permissions. */
public abstract class BlockingAction<R extends ActionRequest, A extends LocalAction.LocalResponse>
        extends LocalAction<R, A> {

    private final ThreadPool threads;

    protected BlockingAction(String name, TransportService transport, ActionFilters filters) {
        super(name, transport, filters);
        this.threads = transport.getThreadPool();
    }

    @Override
    protected final void doExecute(Task task, R request, ActionListener<A> listener) {
        threads.executor(ThreadPool.Names.GENERIC)
                .execute(ActionRunnable.supply(listener, () -> answer(request, task)));
    }

    protected abstract A answer(R request, Task task) throws Exception;
}
