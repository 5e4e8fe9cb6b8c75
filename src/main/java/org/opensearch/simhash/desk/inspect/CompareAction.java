/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionType;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectRequest;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectServices;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/** Compares two texts or hashes: see {@link Comparison}. Stored ones are read with the caller's rights, so that this needs none on an index. */
public final class CompareAction extends HelperAction<CompareAction.Request> {

    public static final String NAME = "cluster:monitor/simhash/compare";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    @Inject
    public CompareAction(InspectServices services) {
        super(NAME, services);
    }

    public static final class Request extends InspectRequest {

        private static final ObjectParser<Given, Void> PARSER = RecipeChoice.parser("compare");

        static {
            for (String text : List.of("a", "b")) {
                declare(PARSER, text, RequestOptions.object(text, InspectedText::fromXContent));
                PARSER.declareRequiredFieldSet(text);
            }
            option(PARSER, "field", RequestOptions::name);
        }

        final InspectedText a;
        final InspectedText b;
        final String field;

        Request(RecipeChoice recipe, InspectedText a, InspectedText b, String field) {
            super(recipe);
            this.a = a;
            this.b = b;
            this.field = field;
        }

        public static Request fromXContent(XContentParser parser) throws IOException {
            Given given = RequestOptions.body(PARSER, parser);
            return new Request(
                    RecipeChoice.of(given),
                    given.get("a", null),
                    given.get("b", null),
                    given.get("field", FingerprintFields.DEFAULT_OBJECT));
        }

        @Override
        String description() {
            return "comparison of two texts";
        }
    }

    @Override
    void start(Request request, HelperWork work, ActionListener<JsonResponse> listener) {
        MultiGetRequest stored = new MultiGetRequest();
        for (InspectedText text : List.of(request.a, request.b)) {
            if (text.isStored()) {
                stored.add(new MultiGetRequest.Item(text.index(), text.id()).routing(text.routing()));
            }
        }
        if (stored.getItems().isEmpty()) {
            compare(request, new MultiGetItemResponse[0], work, listener);
            return;
        }
        ActionListener<MultiGetResponse> read = ActionListener.wrap(
                found -> compare(request, found.getResponses(), work, listener), listener::onFailure);
        services.client().multiGet(stored, read);
    }

    private void compare(
            Request request, MultiGetItemResponse[] found, HelperWork work, ActionListener<JsonResponse> listener) {
        work.start(listener, () -> {
            Set<String> indices = new LinkedHashSet<>();
            List<InspectedText> texts = new ArrayList<>(List.of(request.a, request.b));
            Iterator<MultiGetItemResponse> documents = List.of(found).iterator();
            for (int i = 0; i < texts.size(); i++) {
                if (texts.get(i).isStored()) {
                    MultiGetItemResponse document = documents.next();
                    indices.add(document.getIndex());
                    texts.set(i, texts.get(i).withDocument(source(document)));
                }
            }
            Comparison comparison = new Comparison(services.recipes(), request, indices, work);
            listener.onResponse(comparison.of(texts.get(0), texts.get(1)));
        });
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
}
