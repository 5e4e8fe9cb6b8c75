/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.request.BlockingAction;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.tasks.Task;

/**
 * Shows groups of a run, doubtful ones first. Costs a search of {@code dest}. The first answer also aggregates its runs. Or the texts
 * of some documents as they were compared, which costs a get of each.
 */
public final class GroupsAction extends BlockingAction<GroupsAction.Request, JsonResponse> {

    public static final String NAME = "indices:data/read/simhash/review";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public GroupsAction(JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver) {
        super(NAME, services.transport(), filters);
        this.services = services;
        this.resolver = resolver;
    }

    /** An index and which of its groups. */
    public static final class Request extends RequestOnIndices {

        /** Null for texts. */
        private final GroupChoice choice;

        /** A run, and documents of its groups; null for groups. */
        private final Map<String, Object> documents;

        Request(String dest, GroupChoice choice, Map<String, Object> documents) {
            super(dest);
            this.choice = choice;
            this.documents = documents;
        }

        public static Request read(RestRequest request, String[] names) {
            return new Request(request.param("dest"), GroupChoice.read(request), null);
        }

        public static Request texts(RestRequest request, String[] names) throws IOException {
            return new Request(request.param("dest"), null, Endpoint.body(request, Decision::object));
        }
    }

    @Override
    protected JsonResponse answer(Request request, Task task) {
        ClusterState state = services.state();
        String[] dest = required(resolver, state, request);
        StoredGroups groups = new StoredGroups(services.client(), state, services::recipes);
        return new JsonResponse(
                request.documents == null ? groups.read(dest, request.choice) : groups.texts(dest, request.documents));
    }

    /** The indices of a request, at least one. */
    static String[] required(IndexNameExpressionResolver resolver, ClusterState state, RequestOnIndices request) {
        String[] indices = resolver.concreteIndexNames(state, request);
        if (indices.length == 0) {
            throw new IndexNotFoundException(String.join(",", request.indices()));
        }
        return indices;
    }
}
