/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.language.LanguageCode;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.search.options.ProcessorOptions;

/** Reads the options of a recipe. {@link Recipe} checks ranges. */
record RecipeParser(ProcessorOptions options) {

    private static final List<String> WORD_OPTIONS = List.of(new String[] {
        "field", "fields", "html",
        "strip", "analyzer", "analyzers",
        "language_field", "language_detection", "hash_function"
    });

    private static final List<String> TEXT_OPTIONS =
            with(WORD_OPTIONS, "features", "min_shingle_size", "max_shingle_size", "feature_weights", "min_features");

    /** All options of a SimHash except {@code segments}, which given hashes have too. */
    static final List<String> OPTIONS = with(TEXT_OPTIONS, "weighting");

    static final List<String> SKETCH_OPTIONS = with(TEXT_OPTIONS, "permutations", "bands", "rows");

    /** A word is a word: neither shingles nor weights. */
    static final List<String> PASSAGES_OPTIONS = with(WORD_OPTIONS, "words", "window");

    private static final int MIN_FEATURES = 8;

    /**
     * Runs of three letters. Two in a row are four letters, three are five: a wrong letter changes few of them. Runs that begin with an
     * ideograph or kana leave their third letter out: these are thousands, and few unrelated texts share two. A space at the end makes
     * a run of the last two letters.
     */
    private static final Map<String, Object> CHARACTERS = Map.of(
            "tokenizer",
            Map.of("type", "ngram", "min_gram", 3, "max_gram", 3),
            "char_filter",
            List.of(Map.of("type", "pattern_replace", "pattern", "\\s+|(?<!\\s)\\z", "replacement", " ")),
            "filter",
            List.of(
                    "lowercase",
                    Map.of(
                            "type",
                            "pattern_replace",
                            "pattern",
                            "^([\\u3040-\\u30ff\\u3400-\\u9fff].).$",
                            "replacement",
                            "$1")));

    /** What features are made of. */
    private enum Unit {
        WORDS,
        CHARACTERS,
        CONTENT_WORDS
    }

    private static List<String> with(List<String> some, String... more) {
        List<String> options = new ArrayList<>(some);
        options.addAll(List.of(more));
        return List.copyOf(options);
    }

    static Recipe parse(ProcessorOptions options) {
        return new RecipeParser(options)
                .recipe(
                        1,
                        2,
                        options.choice("weighting", Weighting.class, Weighting.LOG_TF),
                        new SegmentLayout(options.wholeNumber("segments", 4)),
                        MIN_FEATURES,
                        null,
                        null);
    }

    /** Parses the recipe of a sketch. A set has no weights: only a factor of 0 removes a feature. */
    static Recipe parseSketch(ProcessorOptions options) {
        BandLayout layout = new BandLayout(
                options.wholeNumber("permutations", BandLayout.DEFAULT_PERMUTATIONS),
                options.wholeNumber("bands", BandLayout.DEFAULT_BANDS),
                options.wholeNumber("rows", BandLayout.DEFAULT_ROWS));
        Recipe recipe = new RecipeParser(options)
                .recipe(
                        Recipe.SKETCHED_SHINGLES,
                        Recipe.SKETCHED_SHINGLES,
                        Weighting.LOG_TF,
                        new SegmentLayout(SegmentLayout.MIN),
                        layout.rows(),
                        layout,
                        null);
        requireNoWeights("a sketch does", recipe);
        return recipe;
    }

    static Recipe parsePassages(ProcessorOptions options) {
        PassageLayout layout = new PassageLayout(
                options.wholeNumber("words", PassageLayout.DEFAULT.words()),
                options.wholeNumber("window", PassageLayout.DEFAULT.window()));
        Recipe recipe = new RecipeParser(options)
                .recipe(1, 1, Weighting.LOG_TF, new SegmentLayout(SegmentLayout.MIN), 1, null, layout);
        requireNoWeights("passages do", recipe);
        return recipe;
    }

    private static void requireNoWeights(String what, Recipe recipe) {
        for (WeightedField field : recipe.fields()) {
            if (field.weight() != 1) {
                throw new IllegalArgumentException("[fields] must have no weights, which " + what + " not know, got: "
                        + field.path() + "^" + field.weight());
            }
        }
    }

    private Recipe recipe(
            int minShingleSize,
            int maxShingleSize,
            Weighting weighting,
            SegmentLayout segments,
            int minFeatures,
            BandLayout layout,
            PassageLayout passages) {
        boolean isOfSimHash = layout == null && passages == null;
        List<WeightedField> fields =
                fields(isOfSimHash ? "[field], [fields] and [hash_field]" : "[field] and [fields]");
        String languageField = options.field("language_field", null);
        Map<String, Object> languages = options.object("analyzers");
        boolean languageDetection = options.flag("language_detection", false);
        boolean byLanguage = languageField != null || languageDetection;
        if (languages != null && byLanguage == false) {
            throw new IllegalArgumentException(
                    "[analyzers] needs [language_field] or [language_detection], got: neither");
        }
        Object analyzer = options.any("analyzer");
        Unit unit = passages == null
                ? options.choice(
                        "features",
                        layout == null ? List.of(Unit.WORDS, Unit.CHARACTERS) : List.of(Unit.values()),
                        Unit.WORDS)
                : Unit.WORDS;
        boolean ofCharacters = unit == Unit.CHARACTERS;
        boolean ofContent = unit == Unit.CONTENT_WORDS;
        if (ofCharacters && (analyzer != null || byLanguage)) {
            throw new IllegalArgumentException(
                    "[features] of characters need no [analyzer], [language_field] or [language_detection], got: "
                            + (analyzer != null ? analyzer : languageField != null ? languageField : "true"));
        }
        boolean isNamed = ContentWords.NAME.equals(analyzer);
        if (isNamed || (ofContent && (analyzer != null || languages != null || languageDetection))) {
            throw new IllegalArgumentException(
                    "[features] of content_words need no [analyzer], [analyzers] or [language_detection], got: "
                            + (analyzer != null ? analyzer : languages != null ? languages : "true"));
        }
        return new Recipe(
                fields,
                options.choice("html", HtmlExtraction.class, HtmlExtraction.NONE),
                switch (unit) {
                    case CHARACTERS -> CHARACTERS;
                    case CONTENT_WORDS -> ContentWords.NAME;
                    case WORDS -> analyzer == null ? "standard" : analyzer;
                },
                languageField,
                languageDetection,
                byLanguage && ofContent == false ? BuiltInLanguages.mergedWith(languages) : Map.of(),
                passages == null
                        ? options.wholeNumber(
                                "min_shingle_size", ofCharacters ? maxShingleSize : ofContent ? 1 : minShingleSize)
                        : minShingleSize,
                passages == null
                        ? options.wholeNumber("max_shingle_size", ofContent ? 1 : maxShingleSize)
                        : maxShingleSize,
                weighting,
                options.choice("hash_function", HashFunction.class, HashFunction.XXH3),
                passages == null ? featureWeights() : Map.of(),
                segments,
                passages == null ? options.wholeNumber("min_features", ofContent ? 1 : minFeatures) : minFeatures,
                layout,
                passages,
                strip());
    }

    /** @param alternatives what may name what is read, for errors */
    private List<WeightedField> fields(String alternatives) {
        String field = options.field("field", null);
        List<?> entries = options.list("fields");
        if ((field == null) == (entries == null)) {
            throw new IllegalArgumentException(
                    "exactly one of " + alternatives + " is required, got: " + (field == null ? "none" : "both"));
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

    /** Refuses a weight where none is allowed. The field would be missing in every document, silently with {@code ignore_missing}. */
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

    private Boilerplate strip() {
        List<?> digests = options.list("strip");
        return digests == null
                ? Boilerplate.NONE
                : new Boilerplate(digests.stream().map(String::valueOf).toList());
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

    /** The analyzers of a recipe by {@link LanguageCode}: the user's, and one for words that no blank parts. */
    static final class BuiltInLanguages {

        /**
         * It finds words and leaves them as they are. Analyzers that change the form of words part near texts of which one
         * is taken for another language.
         */
        private static final Map<String, String> DEFAULTS = Map.of("zh", "smartcn");

        /** More than have a code of two letters. Each may have an analyzer of its own. */
        private static final int MOST_ANALYZERS = 200;

        private BuiltInLanguages() {}

        /**
         * The defaults, overridden by the user's entries. Keys are as {@link LanguageCode} writes them.
         *
         * @param entries may be null
         * @throws IllegalArgumentException for an invalid language code or analyzer
         */
        static Map<String, Object> mergedWith(Map<String, Object> entries) {
            Map<String, Object> merged = new HashMap<>(DEFAULTS);
            if (entries != null) {
                TypedNumber.requireAtMost("[analyzers]", MOST_ANALYZERS, "languages", entries.size());
                Set<String> given = new HashSet<>();
                entries.forEach((code, analyzer) -> {
                    String language = canonical(code);
                    if (given.add(language) == false) {
                        throw new IllegalArgumentException(
                                "[analyzers] must map a language once, got: " + entries.keySet());
                    }
                    merged.put(language, requireAnalyzer(code, analyzer));
                });
            }
            return merged;
        }

        private static String canonical(String code) {
            return LanguageCode.of(code)
                    .map(LanguageCode::toString)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "[analyzers] must map ISO 639 language codes to analyzers, got: " + code));
        }

        private static Object requireAnalyzer(String code, Object analyzer) {
            if (analyzer == null) {
                throw new IllegalArgumentException("[analyzers." + code + "] must name an analyzer, got: null");
            }
            return analyzer;
        }
    }
}
