/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.write.GroupMapping;
import org.opensearch.tasks.Task;

/** Sends a get and a write, with the caller's permissions. Does not block. */
public final class TransportDecideAction extends HandledTransportAction<DecideAction.Request, DecideAction.Response> {

    private final JobServices services;
    private final IndexNameExpressionResolver resolver;

    @Inject
    public TransportDecideAction(JobServices services, ActionFilters filters, IndexNameExpressionResolver resolver) {
        super(DecideAction.NAME, services.transport(), filters, DecideAction.Request::new);
        this.services = services;
        this.resolver = resolver;
    }

    @Override
    protected void doExecute(Task task, DecideAction.Request request, ActionListener<DecideAction.Response> listener) {
        Decision decision = request.decision();
        ClusterState state = services.cluster().state();
        String[] dest = resolver.concreteIndexNames(state, request);
        if (Arrays.asList(dest).contains(decision.index()) == false) {
            throw new IllegalArgumentException("[index] must be one of the indices of "
                    + Arrays.toString(request.indices()) + ", got: " + decision.index());
        }
        GroupMapping.require(state, List.of(decision.index()));
        String by = Reviewer.name(services.transport().getThreadPool().getThreadContext());
        Instant at = Instant.now();
        services.client()
                .get(
                        new GetRequest(decision.index(), decision.group()),
                        ActionListener.wrap(
                                group -> {
                                    if (group.isExists() == false) {
                                        throw new ResourceNotFoundException("[group] must be a group of ["
                                                + decision.index() + "], got: " + decision.group());
                                    }
                                    Map<String, Object> stored = group.getSourceAsMap();
                                    decision.requireIn(stored);
                                    write(decision, decision.request(stored, by, at), by, at, listener);
                                },
                                listener::onFailure));
    }

    private void write(
            Decision decision,
            IndexRequest request,
            String by,
            Instant at,
            ActionListener<DecideAction.Response> listener) {
        boolean isTaken = decision.decision() != null;
        services.client()
                .index(
                        request,
                        ActionListener.wrap(
                                written -> listener.onResponse(new DecideAction.Response(
                                        written.getIndex(),
                                        written.getId(),
                                        written.getSeqNo(),
                                        written.getPrimaryTerm(),
                                        decision.decision(),
                                        isTaken ? by : null,
                                        isTaken ? at.toString() : null)),
                                listener::onFailure));
    }
}
