/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Queues a job for a thread of its own, which may block. Whoever asked for the job is refused at once or gets its result. */
public abstract class JobAction<R extends JobRequest, A extends ActionResponse> extends LocalAction<R, A> {

    protected final JobServices services;
    protected final JobRunner jobs;
    private final String pool;

    /** @param pool of threads */
    protected JobAction(String name, JobServices services, ActionFilters filters, JobRunner jobs, String pool) {
        super(name, services.transport(), filters);
        this.services = services;
        this.jobs = jobs;
        this.pool = pool;
    }

    @Override
    protected final void doExecute(Task task, R request, ActionListener<A> listener) {
        JobTask job = (JobTask) task;
        JobOutcome outcome = new JobOutcome();
        Client client = new ParentTaskAssigningClient(services.client(), self(job));
        CheckedSupplier<A, Exception> work = prepare(request, job, client, outcome);
        jobs.start(job, outcome, services.transport().getThreadPool().executor(pool), work, listener);
    }

    protected final TaskId self(JobTask task) {
        return new TaskId(services.transport().getLocalNode().getId(), task.getId());
    }

    /**
     * Refuses what is wrong with the request without blocking, and returns the work.
     *
     * @param client sends requests as children of the task
     */
    protected abstract CheckedSupplier<A, Exception> prepare(
            R request, JobTask task, Client client, JobOutcome outcome);
}
