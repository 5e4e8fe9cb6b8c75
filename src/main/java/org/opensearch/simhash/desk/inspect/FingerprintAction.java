/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectRequest;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectServices;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/** The fingerprint of a text or document, as the processor makes it. Reads no index and needs no right on one. */
public final class FingerprintAction extends HelperAction<FingerprintAction.Request> {

    public static final String NAME = "cluster:monitor/simhash/fingerprint";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    private static final int TOP_FEATURES = 20;

    @Inject
    public FingerprintAction(InspectServices services) {
        super(NAME, services);
    }

    public static final class Request extends InspectRequest {

        private static final ObjectParser<Given, Void> PARSER = RecipeChoice.parser("fingerprint");

        static {
            InspectedText.declare(PARSER);
            option(PARSER, "explain", RequestOptions::flag);
            PARSER.declareRequiredFieldSet("pipeline", "config");
            PARSER.declareRequiredFieldSet("text", "document");
            PARSER.declareExclusiveFieldSet("text", "document");
        }

        private final InspectedText text;
        final boolean explain;

        Request(RecipeChoice recipe, InspectedText text, boolean explain) {
            super(recipe);
            this.text = text;
            this.explain = explain;
        }

        public static Request fromXContent(XContentParser parser) throws IOException {
            Given given = RequestOptions.body(PARSER, parser);
            return new Request(RecipeChoice.of(given), InspectedText.of(given), given.get("explain", false));
        }

        @Override
        String description() {
            return "fingerprint of a text";
        }
    }

    @Override
    void start(Request request, HelperWork work, ActionListener<JsonResponse> listener) {
        work.start(listener, () -> listener.onResponse(fingerprint(request, work)));
    }

    private JsonResponse fingerprint(Request request, HelperWork work) {
        Fingerprinter fingerprinter = RecipeChoice.reading(
                request.recipe().resolve(services.recipes(), FingerprintFields.DEFAULT_OBJECT, List.of()),
                request.text);
        SourceTexts texts = request.text.sourceTexts(fingerprinter);
        Fingerprint fingerprint = fingerprinter.fingerprint(texts, work);
        Fingerprinter sketcher = fingerprinter.sketching();
        Map<String, Object> answer = new LinkedHashMap<>();
        if (fingerprint.bits().isPresent()) {
            long bits = fingerprint.bits().getAsLong();
            answer.put("hash", Fingerprint.toHex(bits));
            answer.put("bits", bits);
            answer.put("segments", fingerprinter.recipe().segments().terms(bits));
        }
        if (fingerprint.isOfWords()) {
            answer.put("digest", fingerprint.digest());
        }
        answer.put("features", fingerprint.features());
        answer.put("scheme", fingerprint.scheme());
        answer.put(
                "minhash",
                FingerprintFields.of(
                        sketcher.sketch(texts, work), sketcher.recipe().bandLayout()));
        if (request.explain) {
            answer.put(
                    "top_features",
                    fingerprinter.heaviestFeatures(texts, TOP_FEATURES, work).stream()
                            .map(one -> Map.of("feature", one.feature(), "weight", one.weight()))
                            .toList());
        }
        return new JsonResponse(answer);
    }
}
