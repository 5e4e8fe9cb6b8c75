/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobRunner;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.query.FingerprintPresence;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Starts each job on a thread of its own. */
public final class TransportDeduplicateAction
        extends HandledTransportAction<DeduplicateAction.Request, DeduplicateResponse> {

    private final JobServices services;
    private final JobRunner jobs;
    private final IndexNameExpressionResolver resolver;
    private final FingerprintPresence presence;

    @Inject
    public TransportDeduplicateAction(
            JobServices services,
            ActionFilters filters,
            IndexNameExpressionResolver resolver,
            JobRunner jobs,
            FingerprintPresence presence) {
        super(DeduplicateAction.NAME, services.transport(), filters, DeduplicateAction.Request::new);
        this.services = services;
        this.jobs = jobs;
        this.resolver = resolver;
        this.presence = presence;
    }

    @Override
    protected void doExecute(
            Task task, DeduplicateAction.Request request, ActionListener<DeduplicateResponse> listener) {
        JobOutcome outcome = new JobOutcome();
        request.leaveOutArchives(services, outcome);
        ClusterState state = services.cluster().state();
        String[] indices = resolver.concreteIndexNames(state, request);
        if (indices.length == 0) {
            throw new IndexNotFoundException(String.join(",", request.indices()));
        }
        new TargetCheck(state, request.options(), indices).check();
        TaskId self = new TaskId(services.transport().getLocalNode().getId(), task.getId());
        String run = UUID.randomUUID().toString().replace("-", "").toLowerCase(Locale.ROOT);
        ((JobTask) task).run(run);
        Client client = new ParentTaskAssigningClient(services.client(), self);
        DeduplicateOptions asked = request.options();
        ScheduledJob.Job job = (newSince, since) -> new DeduplicateJob(
                        services, (JobTask) task, client, asked, newSince, since, indices, run, outcome, presence)
                .run(request);
        CheckedSupplier<DeduplicateResponse, Exception> work = asked.sinceLast()
                ? () -> new ScheduledJob(services, client, self, asked, List.of(indices), run, outcome).run(job)
                : () -> job.run(asked.newSince(), null);
        Executor threads = services.transport().getThreadPool().executor(DeduplicateThreads.JOB);
        jobs.start((JobTask) task, outcome, threads, work, listener);
    }
}
