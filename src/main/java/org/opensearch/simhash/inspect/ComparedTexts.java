/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.io.IOException;
import java.util.Map;
import java.util.function.BiConsumer;
import org.opensearch.action.ActionType;
import org.opensearch.core.ParseField;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.options.RequestOptions;

/** Reads the body of a comparison and chooses the action: a cluster action if no text is stored. One thread. */
final class ComparedTexts {

    private static final ObjectParser<ComparedTexts, Void> PARSER = new ObjectParser<>("compare", ComparedTexts::new);

    static {
        RecipeChoice.declare(
                PARSER, (options, value) -> options.pipeline = value, (options, value) -> options.config = value);
        declare("a", (options, value) -> options.a = value);
        declare("b", (options, value) -> options.b = value);
    }

    private String pipeline;
    private Map<String, Object> config;
    private InspectedText a;
    private InspectedText b;

    private ComparedTexts() {}

    private static void declare(String name, BiConsumer<ComparedTexts, InspectedText> option) {
        PARSER.declareField(
                option,
                RequestOptions.object(name, InspectedText::fromXContent),
                new ParseField(name),
                RequestOptions.ANY);
        PARSER.declareRequiredFieldSet(name);
    }

    static InspectRequest fromXContent(XContentParser parser) throws IOException {
        ComparedTexts options = RequestOptions.body(PARSER, parser);
        RecipeChoice recipe = new RecipeChoice(options.pipeline, options.config);
        return options.a.isStored() || options.b.isStored()
                ? new CompareAction.Request(recipe, options.a, options.b)
                : new CompareTextsAction.Request(recipe, options.a, options.b);
    }

    /** The action for a request. */
    static ActionType<CompareAction.Response> action(InspectRequest request) {
        return request instanceof CompareTextsAction.Request ? CompareTextsAction.INSTANCE : CompareAction.INSTANCE;
    }
}
