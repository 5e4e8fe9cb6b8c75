/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.opensearch.action.ActionType;
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

/** Compares two given texts or hashes. A cluster action: it reads no index and needs no right on one. */
public final class CompareTextsAction extends HelperAction<CompareTextsAction.Request> {

    public static final String NAME = "cluster:monitor/simhash/compare";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    @Inject
    public CompareTextsAction(InspectServices services) {
        super(NAME, services);
    }

    /** Two texts and a recipe. */
    abstract static class TwoTexts extends InspectRequest {

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

        /** The target field of the wanted processors. */
        final String field;

        TwoTexts(RecipeChoice recipe, InspectedText a, InspectedText b, String field) {
            super(recipe);
            this.a = a;
            this.b = b;
            this.field = field;
        }

        static TwoTexts fromXContent(XContentParser parser) throws IOException {
            Given given = RequestOptions.body(PARSER, parser);
            return of(
                    RecipeChoice.of(given),
                    given.get("a", null),
                    given.get("b", null),
                    given.get("field", FingerprintFields.DEFAULT_OBJECT));
        }

        static TwoTexts of(RecipeChoice recipe, InspectedText a, InspectedText b, String field) {
            return a.isStored() || b.isStored()
                    ? new CompareAction.Request(recipe, a, b, field)
                    : new Request(recipe, a, b, field);
        }

        /** A cluster action if no text is stored. */
        abstract ActionType<JsonResponse> action();

        @Override
        final String description() {
            return "comparison of two texts";
        }
    }

    /** Stored texts are refused: they belong to {@link CompareAction}, which names their indices. */
    public static final class Request extends TwoTexts {

        Request(RecipeChoice recipe, InspectedText a, InspectedText b, String field) {
            super(recipe, a, b, field);
            requireGiven("a", a);
            requireGiven("b", b);
        }

        private static void requireGiven(String option, InspectedText text) {
            if (text.isStored()) {
                throw new IllegalArgumentException("[" + option + "] must be given along, got: [" + text.id()
                        + "] of index [" + text.index() + "]");
            }
        }

        @Override
        ActionType<JsonResponse> action() {
            return INSTANCE;
        }
    }

    @Override
    void start(Request request, HelperWork work, ActionListener<JsonResponse> listener) {
        Comparison comparison = new Comparison(services.recipes(), request, Set.of(), work);
        work.start(listener, () -> listener.onResponse(comparison.of(request.a, request.b)));
    }
}
