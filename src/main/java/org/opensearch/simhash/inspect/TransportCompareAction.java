/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.tasks.Task;

/** Fetches the stored texts, and compares on the node that was asked, off its transport threads. */
public final class TransportCompareAction
        extends HandledTransportAction<CompareAction.Request, CompareAction.Response> {

    private final InspectServices services;

    @Inject
    public TransportCompareAction(InspectServices services) {
        super(CompareAction.NAME, services.transport(), services.filters(), CompareAction.Request::new);
        this.services = services;
    }

    @Override
    protected void doExecute(
            Task task, CompareAction.Request request, ActionListener<CompareAction.Response> listener) {
        HelperWork work = services.work(task);
        List<InspectedText> texts = List.of(request.a(), request.b());
        MultiGetRequest stored = new MultiGetRequest();
        for (InspectedText text : texts) {
            if (text.isStored()) {
                stored.add(new MultiGetRequest.Item(text.index(), text.id()).routing(text.routing()));
            }
        }
        if (request.permitted() != null) {
            requirePermitted(request.permitted(), stored.getItems());
        }
        ActionListener<CompareAction.Response> holding = work.holding(request.bytes(), listener);
        services.client()
                .multiGet(
                        stored,
                        ActionListener.wrap(
                                found -> compareLater(request.recipe(), texts, found, work, holding),
                                holding::onFailure));
    }

    /** Refuses texts in indices that a security filter removed. */
    private void requirePermitted(String[] permitted, List<MultiGetRequest.Item> stored) {
        if (permitted.length == 0) {
            throw new OpenSearchSecurityException(
                    "no index is left on which [" + CompareAction.NAME + "] is permitted", RestStatus.FORBIDDEN);
        }
        ClusterState state = services.cluster().state();
        List<String> names = Arrays.asList(
                services.resolver().concreteIndexNames(state, IndicesOptions.lenientExpandOpen(), permitted));
        for (MultiGetRequest.Item item : stored) {
            if (names.contains(
                            services.resolver().concreteSingleIndex(state, item).getName())
                    == false) {
                throw new IndexNotFoundException(item.index());
            }
        }
    }

    private void compareLater(
            RecipeChoice recipe,
            List<InspectedText> given,
            MultiGetResponse found,
            HelperWork work,
            ActionListener<CompareAction.Response> listener) {
        work.start(listener, () -> {
            List<InspectedText> texts = withDocuments(given, found);
            listener.onResponse(
                    new Comparison(services.recipes(), recipe, indices(found), work).of(texts.get(0), texts.get(1)));
        });
    }

    private static List<InspectedText> withDocuments(List<InspectedText> texts, MultiGetResponse found)
            throws Exception {
        List<InspectedText> resolved = new ArrayList<>();
        int next = 0;
        for (InspectedText text : texts) {
            resolved.add(text.isStored() ? text.withDocument(source(found.getResponses()[next++])) : text);
        }
        return resolved;
    }

    private static Map<String, Object> source(MultiGetItemResponse item) throws Exception {
        if (item.isFailed()) {
            throw item.getFailure().getFailure();
        }
        if (item.getResponse().isExists() == false) {
            throw new ResourceNotFoundException("document [{}] not found in [{}]", item.getId(), item.getIndex());
        }
        if (item.getResponse().isSourceEmpty()) {
            throw new IllegalArgumentException(
                    "document [" + item.getId() + "] of index [" + item.getIndex() + "] has no [_source] to compare");
        }
        return item.getResponse().getSourceAsMap();
    }

    private static Set<String> indices(MultiGetResponse found) {
        Set<String> indices = new LinkedHashSet<>();
        for (MultiGetItemResponse item : found) {
            indices.add(item.getIndex());
        }
        return indices;
    }
}
