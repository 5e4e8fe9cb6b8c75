/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.apply;

import java.util.concurrent.Executor;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobResponse;
import org.opensearch.simhash.deduplicate.job.JobRunner;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Applies decisions on a thread of jobs, with the caller's permissions for {@code dest} and the indices. */
public final class TransportApplyAction extends HandledTransportAction<ApplyAction.Request, JobResponse> {

    private final JobServices services;
    private final JobRunner jobs;

    @Inject
    public TransportApplyAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(ApplyAction.NAME, services.transport(), filters, ApplyAction.Request::new);
        this.services = services;
        this.jobs = jobs;
    }

    @Override
    protected void doExecute(Task task, ApplyAction.Request request, ActionListener<JobResponse> listener) {
        TaskId self = new TaskId(services.transport().getLocalNode().getId(), task.getId());
        JobOutcome outcome = new JobOutcome();
        request.leaveOutArchives(services, outcome);
        ((JobTask) task).run(request.options().run());
        ApplyJob job = new ApplyJob(
                services,
                (JobTask) task,
                self,
                new ParentTaskAssigningClient(services.client(), self),
                request.options(),
                outcome);
        Executor threads = services.transport().getThreadPool().executor(DeduplicateThreads.JOB);
        jobs.start((JobTask) task, outcome, threads, () -> job.run(request), listener);
    }
}
