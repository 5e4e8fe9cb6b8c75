/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.desk.inspect.InspectedText.BoundedObject;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/** The recipe that a request wants: of a pipeline, or of given options of the processor; each may be null. */
record RecipeChoice(String pipeline, Map<String, Object> config) {

    /** The most factors of a recipe, plus other values. */
    private static final int MAX_VALUES = Recipe.MAX_FEATURE_WEIGHTS + 10_000;

    private static final String ANY_FIELD = "text";

    RecipeChoice {
        if (pipeline != null && config != null) {
            throw new IllegalArgumentException("only one of [pipeline] and [config] is allowed, got: both");
        }
    }

    static ObjectParser<Given, Void> parser(String name) {
        ObjectParser<Given, Void> parser = RequestOptions.parser(name);
        option(parser, "pipeline", RequestOptions::text);
        declare(parser, "config", RequestOptions.object("config", BoundedObject.reader("config", MAX_VALUES)));
        parser.declareExclusiveFieldSet("pipeline", "config");
        return parser;
    }

    static RecipeChoice of(Given given) {
        return new RecipeChoice(given.get("pipeline", null), given.get("config", null));
    }

    boolean isGiven() {
        return pipeline != null || config != null;
    }

    /** The recipes, at least one: what was chosen, else those of the indices. Refuses a request for which there is none. */
    List<Fingerprinter> resolve(PipelineRecipes recipes, String field, Collection<String> indices) {
        if (pipeline != null) {
            return recipes.ofPipeline(pipeline, field);
        }
        if (config != null) {
            Map<String, Object> options = new HashMap<>(config);
            if (options.containsKey("field") == false && options.containsKey("fields") == false) {
                options.put("field", ANY_FIELD);
            }
            return List.of(recipes.ofOptions(options));
        }
        if (indices.isEmpty()) {
            throw new IllegalArgumentException("one of [pipeline] and [config] is required, got: none");
        }
        return recipes.ofIndices(indices, field);
    }

    /** The first recipe that finds text in all texts; the first of all if none does. */
    static Fingerprinter reading(List<Fingerprinter> recipes, InspectedText... texts) {
        return recipes.stream()
                .filter(recipe -> Arrays.stream(texts).allMatch(text -> text.isReadBy(recipe)))
                .findFirst()
                .orElse(recipes.getFirst());
    }
}
