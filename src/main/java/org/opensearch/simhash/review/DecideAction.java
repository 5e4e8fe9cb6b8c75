/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionType;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexResponse;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.write.GroupMapping;
import org.opensearch.simhash.request.BlockingAction;
import org.opensearch.simhash.request.Caller;
import org.opensearch.simhash.request.Endpoint;
import org.opensearch.simhash.request.JsonResponse;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.simhash.request.RequestOnIndices;
import org.opensearch.tasks.Task;

/** Stores a decision about a group. Fails with HTTP 409 if the group has changed since it was read. Costs a get and a write. */
public final class DecideAction extends BlockingAction<DecideAction.Request> {

    public static final String NAME = "indices:data/write/simhash/decide";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public DecideAction(JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver) {
        super(NAME, services.transport(), filters);
        this.services = services;
        this.resolver = resolver;
    }

    /** A decision and the index of its group. */
    public static final class Request extends RequestOnIndices {

        private final Decision decision;

        Request(String dest, Decision decision) {
            super(dest);
            this.decision = decision;
        }

        public static Request read(RestRequest request, String[] names) throws IOException {
            return new Request(request.param("dest"), Endpoint.body(request, Decision::fromXContent));
        }
    }

    @Override
    protected JsonResponse answer(Request request, Task task) {
        Decision decision = request.decision;
        ClusterState state = services.cluster().state();
        String[] dest = resolver.concreteIndexNames(state, request);
        if (Arrays.asList(dest).contains(decision.index()) == false) {
            throw new IllegalArgumentException("[index] must be one of the indices of "
                    + Arrays.toString(request.indices()) + ", got: " + decision.index());
        }
        GroupMapping.require(state, List.of(decision.index()));
        boolean isTaken = decision.decision() != null;
        String by = isTaken
                ? Caller.of(services.transport().getThreadPool().getThreadContext())
                        .name()
                : null;
        String at = isTaken ? Instant.now().toString() : null;
        GetResponse group =
                services.client().prepareGet(decision.index(), decision.group()).get();
        if (group.isExists() == false) {
            throw new ResourceNotFoundException(
                    "[group] must be a group of [" + decision.index() + "], got: " + decision.group());
        }
        Map<String, Object> stored = group.getSourceAsMap();
        decision.requireIn(stored);
        IndexResponse written =
                services.client().index(decision.request(stored, by, at)).actionGet();
        return new JsonResponse((json, params) -> json.startObject()
                .field("_index", written.getIndex())
                .field("_id", written.getId())
                .field("_seq_no", written.getSeqNo())
                .field("_primary_term", written.getPrimaryTerm())
                .field("decision", decision.decision())
                .field("decided_by", by)
                .field("decided_at", at)
                .endObject());
    }
}
