/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.fingerprint.HashFunction;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.fingerprint.Weighting;
import org.opensearch.simhash.fingerprint.html.HtmlExtraction;
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.options.TypedNumber;

/** Reads the options of a recipe. {@link Recipe} checks ranges. */
record RecipeParser(ProcessorOptions options) {

    /** All options of a recipe except {@code segments}, which given hashes have too. */
    static final List<String> OPTIONS = List.of(
            "field",
            "fields",
            "html",
            "analyzer",
            "analyzers",
            "language_field",
            "language_detection",
            "folding",
            "min_shingle_size",
            "max_shingle_size",
            "weighting",
            "hash_function",
            "feature_weights",
            "min_features");

    /** @throws IllegalArgumentException naming the option, the rule and the value */
    static Recipe parse(ProcessorOptions options) {
        return new RecipeParser(options).recipe();
    }

    private Recipe recipe() {
        List<WeightedField> fields = fields();
        String languageField = options.field("language_field", null);
        Map<String, Object> languages = options.object("analyzers");
        boolean languageDetection = options.flag("language_detection", false);
        boolean byLanguage = languageField != null || languageDetection;
        if (languages != null && byLanguage == false) {
            throw new IllegalArgumentException(
                    "[analyzers] needs [language_field] or [language_detection], got: neither");
        }
        Object analyzer = options.any("analyzer");
        return new Recipe(
                fields,
                options.choice("html", HtmlExtraction.class, HtmlExtraction.NONE),
                analyzer == null ? "standard" : analyzer,
                languageField,
                languageDetection,
                byLanguage ? BuiltInLanguages.mergedWith(languages) : Map.of(),
                options.wholeNumber("min_shingle_size", 1),
                options.wholeNumber("max_shingle_size", 2),
                options.choice("weighting", Weighting.class, Weighting.LOG_TF),
                options.choice("hash_function", HashFunction.class, HashFunction.XXH3),
                options.flag("folding", true),
                featureWeights(),
                new SegmentLayout(options.wholeNumber("segments", 4)),
                options.wholeNumber("min_features", 8));
    }

    private List<WeightedField> fields() {
        String field = options.field("field", null);
        List<?> entries = options.list("fields");
        if ((field == null) == (entries == null)) {
            throw new IllegalArgumentException("exactly one of [field], [fields] and [hash_field] is required, got: "
                    + (field == null ? "none" : "both"));
        }
        if (entries == null) {
            requireUnweighted(field);
            return List.of(new WeightedField(field, 1));
        }
        List<WeightedField> fields = new ArrayList<>();
        for (Object entry : entries) {
            if (entry instanceof String text) {
                fields.add(weightedField(text));
            } else {
                throw new IllegalArgumentException("[fields] must be a list of field names, got: " + entry);
            }
        }
        return fields;
    }

    /**
     * Refuses a weight where none is allowed. The field would be missing in every document, silently with
     * {@code ignore_missing}.
     */
    private static void requireUnweighted(String field) {
        if (isWeighted(field)) {
            throw new IllegalArgumentException(
                    "[field] must name a field without a weight, which entries of [fields] may have, got: " + field);
        }
    }

    private static boolean isWeighted(String field) {
        int caret = field.lastIndexOf('^');
        return caret >= 0 && TypedNumber.isOne(field.substring(caret + 1));
    }

    /** {@code title^3} or {@code title}. */
    private static WeightedField weightedField(String entry) {
        int caret = entry.lastIndexOf('^');
        String path = ProcessorOptions.requirePath(
                "[fields] must name fields", caret < 0 ? entry : entry.substring(0, caret));
        if (isWeighted(path)) {
            throw new IllegalArgumentException("[fields] must have one weight for each, got: " + entry);
        }
        try {
            return new WeightedField(
                    path,
                    caret < 0
                            ? 1
                            : TypedNumber.parse(entry.substring(caret + 1)).doubleValue());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("[fields] weight must be a number, got: " + TypedNumber.shown(entry));
        }
    }

    private Map<String, Double> featureWeights() {
        Map<String, Object> entries = options.object("feature_weights");
        if (entries == null) {
            return Map.of();
        }
        Map<String, Double> weights = HashMap.newHashMap(entries.size());
        entries.forEach((feature, factor) -> weights.put(
                feature,
                ProcessorOptions.number("[feature_weights] factor of [" + feature + "] must be a number", factor)));
        return weights;
    }
}
