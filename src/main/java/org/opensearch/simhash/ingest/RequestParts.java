/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import static java.util.Map.entry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.options.TypedNumber;

/**
 * The parts and settings of analyzers that a request may define, by name. Other parts allocate buffers, tables and
 * automata, read files, run scripts, or hold a thread for hours. They are only for those who may define pipelines; a
 * request needs only the right to read indices.
 */
final class RequestParts {

    static final int MAX_ENTRIES = 100;
    static final int MAX_LANGUAGES = 50;
    static final int MAX_CHARACTERS = 50_000;
    static final int MAX_PARTS = 20;
    static final int MAX_SIZE = 100_000;

    private static final String ANALYZER = "analyzer";
    private static final String ANALYZERS = "analyzers";
    private static final String TYPE = "type";

    /** Size of a buffer. */
    private static final int MAX_BUFFER = 10_000;
    /** Size of n-grams. */
    private static final int MAX_GRAM = 50;

    private static final SettingRule FLAG = SettingRule.flag();
    private static final SettingRule WORDS = SettingRule.words();
    private static final SettingRule BUFFER = SettingRule.number(1, MAX_BUFFER);
    private static final SettingRule GRAM = SettingRule.number(1, MAX_GRAM);
    private static final SettingRule SHINGLE = SettingRule.number(2, 10);
    private static final SettingRule SHORT = SettingRule.text(100);
    private static final SettingRule COUNT = SettingRule.number(0, Integer.MAX_VALUE);
    private static final SettingRule TABLES = SettingRule.count(MAX_SIZE);

    /** Analyzers that buffer no more than a token. Those of plugins have no settings here. */
    private static final Set<String> NAMED = Set.of(
            ("arabic armenian basque bengali brazilian bulgarian catalan chinese cjk classic czech danish default dutch english"
                            + " estonian finnish french galician german greek hindi hungarian icu_analyzer indonesian irish"
                            + " italian keyword kuromoji latvian lithuanian nori norwegian pattern persian polish portuguese"
                            + " romanian russian simple smartcn snowball sorani spanish standard stop swedish thai turkish"
                            + " ukrainian whitespace")
                    .split(" "));

    private static final Map<String, Map<String, SettingRule>> TOKENIZERS = parts(
            "letter lowercase thai",
            Map.ofEntries(
                    entry("standard", Map.of("max_token_length", BUFFER)),
                    entry("whitespace", Map.of("max_token_length", BUFFER)),
                    entry("classic", Map.of("max_token_length", BUFFER)),
                    entry("uax_url_email", Map.of("max_token_length", BUFFER)),
                    entry("keyword", Map.of("buffer_size", BUFFER)),
                    entry("char_group", Map.of("tokenize_on_chars", WORDS, "max_token_length", BUFFER)),
                    entry(
                            "ngram",
                            Map.of(
                                    "min_gram",
                                    GRAM,
                                    "max_gram",
                                    GRAM,
                                    "token_chars",
                                    WORDS,
                                    "custom_token_chars",
                                    SHORT)),
                    entry(
                            "edge_ngram",
                            Map.of(
                                    "min_gram",
                                    GRAM,
                                    "max_gram",
                                    GRAM,
                                    "token_chars",
                                    WORDS,
                                    "custom_token_chars",
                                    SHORT)),
                    entry(
                            "pattern",
                            Map.of("pattern", SettingRule.linearPattern(), "group", SettingRule.number(-1, 0))),
                    entry("simple_pattern", Map.of("pattern", SettingRule.automaton())),
                    entry("simple_pattern_split", Map.of("pattern", SettingRule.automaton())),
                    entry(
                            "path_hierarchy",
                            Map.of(
                                    "buffer_size",
                                    BUFFER,
                                    "delimiter",
                                    SHORT,
                                    "replacement",
                                    SettingRule.text(1),
                                    "skip",
                                    SettingRule.number(0, MAX_BUFFER),
                                    "reverse",
                                    FLAG))));

    private static final Map<String, Map<String, SettingRule>> CHAR_FILTERS = parts(
            "",
            Map.of(
                    "html_strip", Map.of("escaped_tags", WORDS),
                    "mapping", Map.of("mappings", SettingRule.rules()),
                    "pattern_replace", Map.of("pattern", SettingRule.linearPattern(), "replacement", SHORT)));

    private static final Map<String, SettingRule> SYNONYMS =
            Map.of("synonyms", SettingRule.synonyms(), "expand", FLAG, "lenient", FLAG);

    private static final Set<String> SYNONYMOUS = new TreeSet<>(Set.of("synonym", "synonym_graph"));
    private static final Set<String> LENGTHENING = new TreeSet<>(Set.of("mapping", "pattern_replace"));

    private static final Map<String, SettingRule> DELIMITED = Map.ofEntries(
            entry("generate_word_parts", FLAG),
            entry("generate_number_parts", FLAG),
            entry("catenate_words", FLAG),
            entry("catenate_numbers", FLAG),
            entry("catenate_all", FLAG),
            entry("split_on_case_change", FLAG),
            entry("preserve_original", FLAG),
            entry("split_on_numerics", FLAG),
            entry("stem_english_possessive", FLAG),
            entry("protected_words", WORDS));

    private static final Map<String, Map<String, SettingRule>> FILTERS = parts(
            "apostrophe arabic_normalization arabic_stem bengali_normalization brazilian_stem cjk_width classic czech_stem"
                    + " decimal_digit dutch_stem french_stem german_normalization german_stem hindi_normalization"
                    + " indic_normalization keyword_repeat kstem persian_normalization persian_stem porter_stem"
                    + " remove_duplicates reverse russian_stem scandinavian_folding scandinavian_normalization"
                    + " serbian_normalization sorani_normalization trim type_as_payload uppercase",
            Map.ofEntries(
                    entry("asciifolding", Map.of("preserve_original", FLAG)),
                    entry("cjk_bigram", Map.of("output_unigrams", FLAG, "ignored_scripts", WORDS)),
                    entry("common_grams", Map.of("common_words", WORDS, "ignore_case", FLAG, "query_mode", FLAG)),
                    entry(
                            "edge_ngram",
                            Map.of(
                                    "min_gram",
                                    GRAM,
                                    "max_gram",
                                    GRAM,
                                    "side",
                                    SettingRule.name(),
                                    "preserve_original",
                                    FLAG)),
                    entry("elision", Map.of("articles", WORDS, "articles_case", FLAG)),
                    entry("fingerprint", Map.of("separator", SHORT, "max_output_size", BUFFER)),
                    entry("keep", Map.of("keep_words", WORDS, "keep_words_case", FLAG)),
                    entry("keep_types", Map.of("types", WORDS, "mode", SettingRule.name())),
                    entry("keyword_marker", Map.of("keywords", WORDS, "ignore_case", FLAG)),
                    entry("length", Map.of("min", COUNT, "max", COUNT)),
                    entry("limit", Map.of("max_token_count", COUNT, "consume_all_tokens", FLAG)),
                    entry("lowercase", Map.of("language", SettingRule.name())),
                    entry(
                            "min_hash",
                            Map.of(
                                    "hash_count",
                                    TABLES,
                                    "bucket_count",
                                    TABLES,
                                    "hash_set_size",
                                    TABLES,
                                    "with_rotation",
                                    FLAG)),
                    entry("ngram", Map.of("min_gram", GRAM, "max_gram", GRAM, "preserve_original", FLAG)),
                    entry(
                            "pattern_replace",
                            Map.of("pattern", SettingRule.linearPattern(), "replacement", SHORT, "all", FLAG)),
                    entry(
                            "shingle",
                            Map.of(
                                    "min_shingle_size",
                                    SHINGLE,
                                    "max_shingle_size",
                                    SHINGLE,
                                    "output_unigrams",
                                    FLAG,
                                    "output_unigrams_if_no_shingles",
                                    FLAG,
                                    "token_separator",
                                    SHORT,
                                    "filler_token",
                                    SHORT)),
                    entry("snowball", Map.of("language", SettingRule.name(), "name", SettingRule.name())),
                    entry("stemmer", Map.of("language", SettingRule.name(), "name", SettingRule.name())),
                    entry("stemmer_override", Map.of("rules", SettingRule.rules())),
                    entry("stop", Map.of("stopwords", WORDS, "ignore_case", FLAG, "remove_trailing", FLAG)),
                    entry("synonym", SYNONYMS),
                    entry("synonym_graph", SYNONYMS),
                    entry("truncate", Map.of("length", COUNT)),
                    entry("unique", Map.of("only_on_same_position", FLAG)),
                    entry("word_delimiter", DELIMITED),
                    entry("word_delimiter_graph", DELIMITED)));

    /** Kinds of parts, by their key in an analyzer. */
    private static final Map<String, Map<String, Map<String, SettingRule>>> KINDS =
            new TreeMap<>(Map.of("tokenizer", TOKENIZERS, "filter", FILTERS, "char_filter", CHAR_FILTERS));

    /** The settings of a part that multiply, with their defaults. */
    private static final Map<String, Map<String, Integer>> PRODUCTS =
            Map.of("min_hash", Map.of("hash_count", 1, "bucket_count", 512, "hash_set_size", 1));

    private long size;

    private RequestParts() {}

    /**
     * Refuses processor options that exceed the limits of requests.
     *
     * @throws IllegalArgumentException with the option, the part, the rule and the value
     */
    static void check(Map<String, Object> options) {
        if (options.get("fields") instanceof List<?> fields && fields.size() > MAX_ENTRIES) {
            throw refusal("fields", "have at most " + MAX_ENTRIES + " entries", fields.size());
        }
        RequestParts parts = new RequestParts();
        for (String option : List.of(ANALYZER, ANALYZERS)) {
            long characters = characters(options.get(option));
            if (characters > MAX_CHARACTERS) {
                throw refusal(option, "have at most " + MAX_CHARACTERS + " characters", characters);
            }
            ProcessorOptions.requireWholeCharacters(option, options.get(option));
        }
        parts.analyzer(ANALYZER, options.get(ANALYZER));
        if (options.get(ANALYZERS) instanceof Map<?, ?> analyzers) {
            if (analyzers.size() > MAX_LANGUAGES) {
                throw refusal(ANALYZERS, "have at most " + MAX_LANGUAGES + " languages", analyzers.size());
            }
            analyzers.forEach((language, analyzer) -> parts.analyzer(ANALYZERS + "." + language, analyzer));
        }
    }

    /** The types of each kind of part. */
    static Map<String, Set<String>> known() {
        Map<String, Set<String>> known = new TreeMap<>();
        KINDS.forEach((kind, types) -> known.put(kind, types.keySet()));
        return known;
    }

    /**
     * Refuses a named analyzer.
     *
     * @throws IllegalArgumentException with the option, the rule and the value
     */
    static void requireAnalyzer(String option, String name) {
        if (NAMED.contains(name) == false) {
            throw refusal(option, "be an analyzer that a request may name", name);
        }
    }

    /** Characters of all texts in an option. */
    private static long characters(Object value) {
        return switch (value) {
            case null -> 0;
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .mapToLong(inner -> characters(inner.getKey()) + characters(inner.getValue()))
                        .sum();
            case List<?> list ->
                list.stream().mapToLong(inner -> 1 + characters(inner)).sum();
            default -> value.toString().length();
        };
    }

    /** An invalid analyzer is refused where it is built. */
    private void analyzer(String option, Object analyzer) {
        if (analyzer instanceof Map<?, ?> definition) {
            requireShortSynonyms(option, definition);
            KINDS.forEach((kind, known) -> {
                List<?> parts = parts(definition.get(kind));
                if (parts.size() > MAX_PARTS) {
                    throw refusal(option, "have at most " + MAX_PARTS + " of [" + kind + "]", parts.size());
                }
                parts.forEach(part -> part(option, kind, known, part));
            });
        }
    }

    /** Building the filter runs synonyms through all other parts, whose output is not counted. */
    private static void requireShortSynonyms(String option, Map<?, ?> definition) {
        Set<String> types = new TreeSet<>();
        for (String kind : KINDS.keySet()) {
            parts(definition.get(kind)).forEach(part -> types.add(type(part)));
        }
        if (types.removeAll(SYNONYMOUS) && types.removeAll(LENGTHENING)) {
            throw refusal(option, "have no " + SYNONYMOUS + " beside " + LENGTHENING, "both");
        }
    }

    private static String type(Object part) {
        return String.valueOf(part instanceof Map<?, ?> definition ? definition.get(TYPE) : part);
    }

    private static List<?> parts(Object parts) {
        return parts instanceof List<?> list ? list : one(parts);
    }

    private static List<?> one(Object part) {
        return part == null ? List.of() : List.of(part);
    }

    private void part(String option, String kind, Map<String, Map<String, SettingRule>> known, Object part) {
        if (part instanceof String name) {
            part(option, kind, known, name, Settings.EMPTY);
        } else if (part instanceof Map<?, ?> definition) {
            Settings settings = NodeAnalyzers.defined(option, definition).definition;
            String type = settings.get(TYPE);
            if (type != null) {
                part(option, kind, known, type, settings);
            }
        }
    }

    private void part(
            String option, String kind, Map<String, Map<String, SettingRule>> known, String type, Settings settings) {
        Map<String, SettingRule> rules = known.get(type);
        if (rules == null) {
            throw refusal(option, "have a [" + kind + "] that a request may have", type);
        }
        long product = 1;
        Map<String, Integer> factors = PRODUCTS.getOrDefault(type, Map.of());
        for (String setting : new TreeSet<>(settings.keySet())) {
            if (setting.equals(TYPE) == false) {
                long sizeOf = sizeOf(option, type, rules, setting, settings);
                size += factors.containsKey(setting) ? 0 : sizeOf;
                product *= factors.containsKey(setting) ? sizeOf : 1;
            }
        }
        for (Map.Entry<String, Integer> factor : factors.entrySet()) {
            product *= settings.hasValue(factor.getKey()) ? 1 : factor.getValue();
        }
        size += factors.isEmpty() ? 0 : product;
        if (size > MAX_SIZE) {
            throw refusal(
                    option,
                    "have parts whose sizes add up to at most " + MAX_SIZE + ", as that of [" + type + "] does not",
                    size);
        }
    }

    private static long sizeOf(
            String option, String type, Map<String, SettingRule> rules, String setting, Settings settings) {
        SettingRule rule = rules.get(setting);
        if (rule == null) {
            throw refusal(
                    option, "have a [" + type + "] with no settings but " + new TreeSet<>(rules.keySet()), setting);
        }
        long sizeOf = rule.sizeOf(settings, setting);
        if (sizeOf < 0) {
            throw refusal(
                    option, "have a [" + type + "] whose [" + setting + "] is " + rule.rule(), settings.get(setting));
        }
        return sizeOf;
    }

    private static IllegalArgumentException refusal(String option, String rule, Object got) {
        return new IllegalArgumentException("[" + option + "] of [config] must " + rule
                + " (put another one into a pipeline, and name that as [pipeline]), got: "
                + TypedNumber.shown(String.valueOf(got)));
    }

    /** @param bare parts without settings */
    private static Map<String, Map<String, SettingRule>> parts(
            String bare, Map<String, Map<String, SettingRule>> withSettings) {
        Map<String, Map<String, SettingRule>> parts = new HashMap<>(withSettings);
        Stream.of(bare.split(" ")).filter(name -> name.isEmpty() == false).forEach(name -> parts.put(name, Map.of()));
        return Map.copyOf(parts);
    }
}
