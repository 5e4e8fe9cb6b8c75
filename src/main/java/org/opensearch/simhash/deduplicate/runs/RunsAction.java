/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.runs;

import java.util.Arrays;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.request.BlockingAction;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.simhash.request.RequestOnIndices;
import org.opensearch.tasks.Task;

/** Lists the runs of an archive, the latest first. Costs an aggregation over the archive and a get per run. */
public final class RunsAction extends BlockingAction<RunsAction.Request> {

    public static final String NAME = "indices:data/read/simhash/runs";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public RunsAction(JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver) {
        super(NAME, services.transport(), filters);
        this.services = services;
        this.resolver = resolver;
    }

    /** The archive. */
    public static final class Request extends RequestOnIndices {

        /** @param archive indices, aliases or patterns */
        public Request(String... archive) {
            super(archive);
        }
    }

    @Override
    protected JsonResponse answer(Request request, Task task) {
        ClusterState state = services.cluster().state();
        return new ArchivedRuns(services.client(), state).read(Arrays.asList(resolver.concreteIndices(state, request)));
    }
}
