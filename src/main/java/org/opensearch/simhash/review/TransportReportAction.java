/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Reads groups and documents on a generic thread, with the caller's permissions. */
public final class TransportReportAction extends HandledTransportAction<ReportAction.Request, ReportAction.Response> {

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public TransportReportAction(JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver) {
        super(ReportAction.NAME, services.transport(), filters, ReportAction.Request::new);
        this.services = services;
        this.resolver = resolver;
    }

    @Override
    protected void doExecute(Task task, ReportAction.Request request, ActionListener<ReportAction.Response> listener) {
        String[] dest = resolver.concreteIndexNames(services.cluster().state(), request);
        if (dest.length == 0) {
            throw new IndexNotFoundException(String.join(",", request.indices()));
        }
        TaskId self = new TaskId(services.transport().getLocalNode().getId(), task.getId());
        Client client = new ParentTaskAssigningClient(services.client(), self);
        GroupsReport report = new GroupsReport(services, client, (CancellableTask) task);
        services.transport()
                .getThreadPool()
                .executor(ThreadPool.Names.GENERIC)
                .execute(ActionRunnable.supply(listener, () -> new ReportAction.Response(report.json(dest, request))));
    }
}
