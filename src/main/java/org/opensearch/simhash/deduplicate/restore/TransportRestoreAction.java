/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.restore;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.Index;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.archive.ArchiveIndex;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobResponse;
import org.opensearch.simhash.deduplicate.job.JobRunner;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/**
 * Creates each document of a run again from its copy in the archive. Never overwrites a document. The copies stay, so that a
 * second restore changes nothing.
 */
public final class TransportRestoreAction extends HandledTransportAction<RestoreAction.Request, JobResponse> {

    private final JobServices services;
    private final JobRunner jobs;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public TransportRestoreAction(
            JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver, JobRunner jobs) {
        super(RestoreAction.NAME, services.transport(), filters, RestoreAction.Request::new);
        this.services = services;
        this.jobs = jobs;
        this.resolver = resolver;
    }

    @Override
    protected void doExecute(Task task, RestoreAction.Request request, ActionListener<JobResponse> listener) {
        ClusterState state = services.cluster().state();
        Map<String, Index> indices = Arrays.stream(resolver.concreteIndices(state, request))
                .collect(Collectors.toMap(Index::getName, index -> index));
        ArchiveIndex.requireWhole(state, resolver.resolveExpressions(state, request.archive()));
        JobTask job = (JobTask) task;
        TaskId self = new TaskId(services.transport().getLocalNode().getId(), task.getId());
        JobOutcome outcome = new JobOutcome();
        Client child = new ParentTaskAssigningClient(services.client(), self);
        Restoration restoration = new Restoration(services, job, child, outcome);
        Executor threads = services.transport().getThreadPool().executor(DeduplicateThreads.RESTORE);
        jobs.start(job, outcome, threads, () -> restoration.restore(request, indices), listener);
    }
}
