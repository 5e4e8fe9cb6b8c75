/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.runs;

import java.util.Arrays;
import java.util.List;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.Index;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;

/** Reads the archive on a generic thread, with the caller's permissions. */
public final class TransportRunsAction extends HandledTransportAction<RunsAction.Request, RunsAction.Response> {

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public TransportRunsAction(JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver) {
        super(RunsAction.NAME, services.transport(), filters, RunsAction.Request::new);
        this.services = services;
        this.resolver = resolver;
    }

    @Override
    protected void doExecute(Task task, RunsAction.Request request, ActionListener<RunsAction.Response> listener) {
        List<Index> indices =
                Arrays.asList(resolver.concreteIndices(services.cluster().state(), request));
        services.transport()
                .getThreadPool()
                .executor(ThreadPool.Names.GENERIC)
                .execute(ActionRunnable.supply(
                        listener,
                        () -> new ArchivedRuns(
                                        services.client(), services.cluster().state())
                                .read(indices)));
    }
}
