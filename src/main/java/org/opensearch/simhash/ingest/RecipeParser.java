/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import static org.opensearch.ingest.ConfigurationUtils.newConfigurationException;
import static org.opensearch.ingest.ConfigurationUtils.readBooleanProperty;
import static org.opensearch.ingest.ConfigurationUtils.readIntProperty;
import static org.opensearch.ingest.ConfigurationUtils.readOptionalList;
import static org.opensearch.ingest.ConfigurationUtils.readOptionalMap;
import static org.opensearch.ingest.ConfigurationUtils.readOptionalStringProperty;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.simhash.fingerprint.HashFunction;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.fingerprint.Weighting;
import org.opensearch.simhash.fingerprint.html.HtmlExtraction;

/**
 * Reads the options of a recipe as people type them. Takes what it knows out of the map: what is left is unknown. Ranges are
 * checked by {@link Recipe}.
 */
final class RecipeParser {

    private static final String TYPE = SimHashProcessor.TYPE;

    private final String tag;
    private final Map<String, Object> options;

    private RecipeParser(String tag, Map<String, Object> options) {
        this.tag = tag;
        this.options = options;
    }

    /**
     * Reads a recipe.
     *
     * @param tag of the processor, for messages; may be null
     * @throws org.opensearch.OpenSearchParseException naming the option, the rule and the value
     */
    static Recipe parse(String tag, Map<String, Object> options) {
        try {
            return new RecipeParser(tag, options).recipe();
        } catch (IllegalArgumentException e) {
            throw newConfigurationException(TYPE, tag, null, e.getMessage());
        }
    }

    /** The name of a field, or null when the option is not given. */
    static String readFieldName(String tag, Map<String, Object> options, String option) {
        String name = readOptionalStringProperty(TYPE, tag, options, option);
        if (name != null && name.isEmpty()) {
            throw newConfigurationException(TYPE, tag, option, "must name a field, got an empty name");
        }
        if (name != null && Arrays.asList(name.split("\\.", -1)).contains("")) {
            throw newConfigurationException(
                    TYPE, tag, option, "must name a field without empty parts between its dots, got: " + name);
        }
        return name;
    }

    private Recipe recipe() {
        List<WeightedField> fields = fields();
        String languageField = readFieldName(tag, options, "language_field");
        Map<String, Object> languages = readOptionalMap(TYPE, tag, options, "analyzers");
        boolean languageDetection = readBooleanProperty(TYPE, tag, options, "language_detection", false);
        boolean byLanguage = languageField != null || languageDetection;
        if (languages != null && byLanguage == false) {
            throw new IllegalArgumentException(
                    "[analyzers] needs [language_field] or [language_detection], got: neither");
        }
        Object analyzer = options.remove("analyzer");
        return new Recipe(
                fields,
                choice("html", HtmlExtraction.class, HtmlExtraction.NONE),
                analyzer == null ? "standard" : analyzer,
                languageField,
                languageDetection,
                byLanguage ? BuiltInLanguages.mergedWith(languages) : Map.of(),
                readIntProperty(TYPE, tag, options, "min_shingle_size", 1),
                readIntProperty(TYPE, tag, options, "max_shingle_size", 2),
                choice("weighting", Weighting.class, Weighting.LOG_TF),
                choice("hash_function", HashFunction.class, HashFunction.XXH3),
                featureWeights(),
                new SegmentLayout(readIntProperty(TYPE, tag, options, "segments", 4)),
                readIntProperty(TYPE, tag, options, "min_features", 8));
    }

    private List<WeightedField> fields() {
        String field = readFieldName(tag, options, "field");
        List<?> entries = readOptionalList(TYPE, tag, options, "fields");
        if ((field == null) == (entries == null)) {
            throw new IllegalArgumentException(
                    "exactly one of [field] and [fields] is required, got: " + (field == null ? "none" : "both"));
        }
        if (entries == null) {
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

    /** {@code title^3}, or {@code title}. */
    private static WeightedField weightedField(String entry) {
        int caret = entry.lastIndexOf('^');
        if (caret < 0) {
            return new WeightedField(entry, 1);
        }
        String weight = entry.substring(caret + 1);
        try {
            return new WeightedField(entry.substring(0, caret), Double.parseDouble(weight));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("[fields] weight must be a number, got: " + entry);
        }
    }

    private Map<String, Double> featureWeights() {
        Map<String, Object> entries = readOptionalMap(TYPE, tag, options, "feature_weights");
        if (entries == null) {
            return Map.of();
        }
        Map<String, Double> weights = HashMap.newHashMap(entries.size());
        entries.forEach((feature, factor) -> {
            if (factor instanceof Number number) {
                weights.put(feature, number.doubleValue());
            } else {
                throw new IllegalArgumentException(
                        "[feature_weights] factor of [" + feature + "] must be a number, got: " + factor);
            }
        });
        return weights;
    }

    private <E extends Enum<E>> E choice(String option, Class<E> type, E byDefault) {
        String value = readOptionalStringProperty(TYPE, tag, options, option);
        if (value == null) {
            return byDefault;
        }
        E[] choices = type.getEnumConstants();
        for (E choice : choices) {
            if (nameOf(choice).equals(value)) {
                return choice;
            }
        }
        throw new IllegalArgumentException("[" + option + "] must be one of "
                + Arrays.stream(choices).map(RecipeParser::nameOf).toList() + ", got: " + value);
    }

    private static String nameOf(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }
}
