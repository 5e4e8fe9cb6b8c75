/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;

/** Reads groups on a generic thread, with the caller's permissions. */
public final class TransportGroupsAction extends HandledTransportAction<GroupsAction.Request, GroupsAction.Response> {

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public TransportGroupsAction(JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver) {
        super(GroupsAction.NAME, services.transport(), filters, GroupsAction.Request::new);
        this.services = services;
        this.resolver = resolver;
    }

    @Override
    protected void doExecute(Task task, GroupsAction.Request request, ActionListener<GroupsAction.Response> listener) {
        String[] dest = resolver.concreteIndexNames(services.cluster().state(), request);
        if (dest.length == 0) {
            throw new IndexNotFoundException(String.join(",", request.indices()));
        }
        services.transport()
                .getThreadPool()
                .executor(ThreadPool.Names.GENERIC)
                .execute(ActionRunnable.supply(
                        listener,
                        () -> new StoredGroups(
                                        services.client(), services.cluster().state(), services.recipes())
                                .read(dest, request.choice())));
    }
}
