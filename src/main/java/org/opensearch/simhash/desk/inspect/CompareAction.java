/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionType;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectServices;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;

/** Compares two texts or hashes, at least one of them of a stored document: see {@link Comparison}. */
public final class CompareAction extends HelperAction<CompareAction.Request> {

    public static final String NAME = "indices:data/read/simhash/compare";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    @Inject
    public CompareAction(InspectServices services) {
        super(NAME, services);
    }

    /** Two texts and a recipe. The request is on the indices of the stored texts. */
    public static final class Request extends CompareTextsAction.TwoTexts implements IndicesRequest.Replaceable {

        /** Null unless someone replaced the indices. */
        private String[] permitted;

        Request(RecipeChoice recipe, InspectedText a, InspectedText b, String field) {
            super(recipe, a, b, field);
            requireStored();
        }

        /** A security filter takes a request without an index for a request on all indices. */
        private void requireStored() {
            if (a.isStored() == false && b.isStored() == false) {
                throw new IllegalArgumentException("one of [a] and [b] must be stored, got: two texts");
            }
        }

        @Override
        ActionType<JsonResponse> action() {
            return INSTANCE;
        }

        @Override
        public String[] indices() {
            return permitted == null
                    ? Stream.of(a, b)
                            .filter(InspectedText::isStored)
                            .map(InspectedText::index)
                            .distinct()
                            .toArray(String[]::new)
                    : permitted;
        }

        /**
         * Called by a security filter with the indices that the caller may read. A text in another index is then
         * refused.
         */
        @Override
        public IndicesRequest indices(String... replaced) {
            permitted = replaced;
            return this;
        }

        /** As for a get. */
        @Override
        public IndicesOptions indicesOptions() {
            return IndicesOptions.strictSingleIndexNoExpandForbidClosed();
        }
    }

    @Override
    void start(Request request, HelperWork work, ActionListener<JsonResponse> listener) {
        List<InspectedText> texts = List.of(request.a, request.b);
        MultiGetRequest stored = new MultiGetRequest();
        for (InspectedText text : texts) {
            if (text.isStored()) {
                stored.add(new MultiGetRequest.Item(text.index(), text.id()).routing(text.routing()));
            }
        }
        if (request.permitted != null) {
            requirePermitted(request.permitted, stored.getItems());
        }
        ActionListener<MultiGetResponse> compared = ActionListener.wrap(
                found -> work.start(listener, () -> {
                    List<InspectedText> read = withDocuments(texts, found);
                    Comparison comparison = new Comparison(services.recipes(), request, indices(found), work);
                    listener.onResponse(comparison.of(read.get(0), read.get(1)));
                }),
                listener::onFailure);
        services.client().multiGet(stored, compared);
    }

    /** Refuses texts in indices that a security filter removed. */
    private void requirePermitted(String[] permitted, List<MultiGetRequest.Item> stored) {
        if (permitted.length == 0) {
            throw new OpenSearchSecurityException(
                    "no index is left on which [" + NAME + "] is permitted", RestStatus.FORBIDDEN);
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
