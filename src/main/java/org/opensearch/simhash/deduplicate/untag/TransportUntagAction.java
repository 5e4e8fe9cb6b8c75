/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.untag;

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
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Clears the tags of documents, on the threads of restores. */
public final class TransportUntagAction extends HandledTransportAction<UntagAction.Request, JobResponse> {

    private final JobServices services;
    private final JobRunner jobs;

    @Inject
    public TransportUntagAction(JobServices services, ActionFilters filters, JobRunner jobs) {
        super(UntagAction.NAME, services.transport(), filters, UntagAction.Request::new);
        this.services = services;
        this.jobs = jobs;
    }

    @Override
    protected void doExecute(Task task, UntagAction.Request request, ActionListener<JobResponse> listener) {
        TaskId self = new TaskId(services.transport().getLocalNode().getId(), task.getId());
        Client child = new ParentTaskAssigningClient(services.client(), self);
        JobOutcome outcome = new JobOutcome();
        request.leaveOutArchives(services, outcome);
        Untagging untagging = new Untagging(services, (JobTask) task, child, outcome);
        Executor threads = services.transport().getThreadPool().executor(DeduplicateThreads.RESTORE);
        jobs.start((JobTask) task, outcome, threads, () -> untagging.run(request), listener);
    }
}
