/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.test.OpenSearchTestCase;

/** What options of a request may have. */
public class RequestPartsTests extends OpenSearchTestCase {

    private static final String PIPELINE = " (put another one into a pipeline, and name that as [pipeline]), got: ";

    public void testPartsThatAreNotKnownAreRefused() {
        for (String type :
                List.of("hunspell", "condition", "pattern_capture", "icu_collation", "dictionary_decompounder", "")) {
            assertRefused("have a [filter] that a request may have" + PIPELINE + type, filter(type));
        }
        assertRefused("have a [tokenizer] that a request may have" + PIPELINE + "x", Map.of("tokenizer", "x"));
        assertRefused(
                "have a [char_filter] that a request may have" + PIPELINE + "icu_normalizer",
                Map.of("tokenizer", "standard", "char_filter", List.of("html_strip", "icu_normalizer")));
        assertRefused(
                "have a [filter] that a request may have" + PIPELINE + "x",
                Map.of("tokenizer", "standard", "filter", "x"));
    }

    public void testSettingsThatAreNotKnownAreRefused() {
        assertRefused(
                "have a [stop] with no settings but [ignore_case, remove_trailing, stopwords]" + PIPELINE
                        + "stopwords_path",
                filter("stop", "stopwords_path", List.of("secret.txt")));
        assertRefused(
                "have a [mapping] with no settings but [mappings]" + PIPELINE + "mappings_path",
                Map.of("tokenizer", "keyword", "char_filter", Map.of("type", "mapping", "mappings_path", "x")));
        assertRefused(
                "have a [min_hash] with no settings but [bucket_count, hash_count, hash_set_size, with_rotation]"
                        + PIPELINE + "hashCount",
                filter("min_hash", "hashCount", 1));
        assertRefused(
                "have a [lowercase] with no settings but [language]" + PIPELINE + "a.b",
                filter("lowercase", "a", Map.of("b", 1)));
    }

    public void testNumbersAreReadAsOpenSearchReadsThem() {
        String rule = "have a [path_hierarchy] whose [buffer_size] is a whole number between 1 and 10000" + PIPELINE;
        for (Object size : List.of("+900000000", 900_000_000, "9e8", "०", "٩٠٠٠٠٠", "0x10", "", -1, 1.5, "10001")) {
            assertRefused(rule + size, tokenizer("path_hierarchy", "buffer_size", size));
        }
        for (Object size : List.of("+10000", "٩٠٠", 1, "00010")) {
            pass(tokenizer("path_hierarchy", "buffer_size", size));
        }
    }

    public void testDefaultsCount() {
        pass(filter("min_hash", "hash_count", 195));
        assertRefused(
                "have parts whose sizes add up to at most 100000, as that of [min_hash] does not" + PIPELINE + "100352",
                filter("min_hash", "hash_count", 196));
        pass(filter("min_hash", "hash_count", 100, "bucket_count", 100, "hash_set_size", 10));
        assertRefused(
                "have parts whose sizes add up to at most 100000, as that of [min_hash] does not" + PIPELINE
                        + "1000000",
                filter("min_hash", "hash_count", 100, "bucket_count", 100, "hash_set_size", 100));
    }

    public void testAllPartsOfAllAnalyzersCountTogether() {
        Map<String, Object> half = filter("min_hash", "hash_count", 100);
        pass(half);
        var e = expectThrows(
                IllegalArgumentException.class,
                () -> RequestParts.check(Map.of("analyzer", half, "analyzers", Map.of("de", half))));
        assertEquals(
                "[analyzers.de] of [config] must have parts whose sizes add up to at most 100000, as that of [min_hash] does"
                        + " not" + PIPELINE + "102400",
                e.getMessage());
    }

    public void testPairsOfSynonymsCount() {
        pass(filter("synonym", "synonyms", List.of("a, b, c", "d => e")));
        String words = String.join(",", Collections.nCopies(200, "a"));
        assertRefused(
                "have parts whose sizes add up to at most 100000, as that of [synonym_graph] does not" + PIPELINE
                        + "120000",
                filter("synonym_graph", "synonyms", List.of(words, words, words)));
        assertRefused(
                "have a [synonym] whose [synonyms] is at most 1000 rules of at most 500 characters" + PIPELINE + "["
                        + words.substring(0, 63) + "...",
                filter("synonym", "synonyms", List.of(words + words)));
    }

    /** Which are read through the other parts before anything is counted. */
    public void testSynonymsStandBesideNothingThatLengthensThem() {
        Map<String, Object> synonyms = part("synonym", "synonyms", List.of("a => b"));
        Map<String, Object> longer = part("mapping", "mappings", List.of("a=>aaaaaaaaaaaaaaaaaaaaaa"));
        String rule = "have no [synonym, synonym_graph] beside [mapping, pattern_replace]" + PIPELINE + "both";
        assertRefused(
                rule,
                Map.of("tokenizer", "keyword", "char_filter", Collections.nCopies(9, longer), "filter", synonyms));
        Map<String, Object> replace = part("pattern_replace", "pattern", ".", "replacement", "aaaaaaaaaaa");
        assertRefused(rule, Map.of("tokenizer", "keyword", "filter", List.of(replace, replace, synonyms)));
        pass(Map.of("tokenizer", "keyword", "char_filter", "html_strip", "filter", List.of("lowercase", synonyms)));
    }

    public void testRegularExpressionsNeverTrackBack() {
        for (String linear : List.of(
                ",",
                "\\W+",
                ",\\s*",
                "[^\\p{L}]+|\\d",
                "a.b",
                "[a-z&]".replace("&", ""),
                "\\.\\s?",
                "^x",
                "x$",
                "大|小*")) {
            assertTrue(linear, LinearPattern.is(linear));
            pass(tokenizer("pattern", "pattern", linear));
            pass(Map.of("tokenizer", "keyword", "char_filter", Map.of("type", "pattern_replace", "pattern", linear)));
        }
        for (String other : List.of(
                "(a+)+$",
                "a*b",
                "\\s+$",
                "(a|aa)*",
                "a+a+",
                "a{1,60}b",
                "(?=a)b",
                "(a)\\1",
                "(?i)a",
                "a**",
                "a*?",
                "[a&&[^b]]",
                "[a[b]]",
                "\\Q(\\E",
                "[",
                "a|",
                "|",
                "",
                "a".repeat(101),
                "\\R+",
                "\\X",
                "\\b",
                "x*|y*z",
                "\\p{L}+x",
                "a+\nb")) {
            assertFalse(other, LinearPattern.is(other));
        }
        assertRefused(
                "have a [pattern] whose [pattern] is " + LinearPattern.rule() + PIPELINE + "(a+)+$",
                tokenizer("pattern", "pattern", "(a+)+$"));
    }

    public void testAutomataAreBounded() {
        String rule =
                "have a [simple_pattern] whose [pattern] is a regular expression of at most 100 characters without [<],"
                        + " [~] and [&], whose counts multiply to 1000 at most" + PIPELINE;
        pass(tokenizer("simple_pattern", "pattern", "[0-9]{4}(-[0-9]{2}){1,2}x{3,}"));
        for (String pattern : List.of(
                "a{1001}",
                "((a{10}){1,11}){10}",
                "a{0,1001}",
                "a{99999999999}",
                "(<1000 a>){10}",
                "<1-9>",
                "~(a*b)",
                "a{1 0}",
                "a".repeat(101))) {
            String shown = pattern.length() > 64 ? pattern.substring(0, 64) + "..." : pattern;
            assertRefused(rule + shown, tokenizer("simple_pattern", "pattern", pattern));
        }
    }

    public void testAllIsFew() {
        assertRefused(
                "have at most 20 of [filter]" + PIPELINE + "21",
                Map.of("tokenizer", "standard", "filter", Collections.nCopies(21, "lowercase")));
        Map<String, Object> languages = new HashMap<>();
        for (int i = 0; i <= RequestParts.MAX_LANGUAGES; i++) {
            languages.put("a" + (char) ('a' + i / 26) + (char) ('a' + i % 26), "standard");
        }
        refused(
                "[analyzers] of [config] must have at most 50 languages" + PIPELINE + "51",
                Map.of("analyzers", languages));
        refused(
                "[analyzer] of [config] must have at most 50000 characters" + PIPELINE + "60000",
                Map.of("analyzer", "x".repeat(60_000)));
        refused(
                "[fields] of [config] must have at most 100 entries" + PIPELINE + "101",
                Map.of("fields", Collections.nCopies(101, "f")));
    }

    public void testUsualPartsPass() {
        RequestParts.check(Map.of());
        RequestParts.check(Map.of("analyzer", "standard", "analyzers", Map.of("de", "german", "zh", "smartcn")));
        pass(filter("shingle", "min_shingle_size", 2, "max_shingle_size", "4"));
        pass(filter("stop", "stopwords", List.of("1999", "2000", "2001", "2002")));
        pass(filter("stop", "stopwords", "_english_"));
        pass(filter("stemmer", "language", "light_german"));
        pass(filter("word_delimiter_graph", "catenate_all", true));
        pass(Map.of(
                "tokenizer", "standard", "char_filter", "html_strip", "filter", List.of("lowercase", "asciifolding")));
        // What is wrong otherwise is said by who builds the analyzer.
        pass(Map.of("filter", 7, "tokenizer", List.of()));
    }

    /** Every part that may be named can be built, with no settings but those that it needs. */
    public void testKnownPartsAreThoseOfOpenSearch() {
        Map<String, Map<String, Object>> needed = Map.of(
                "common_grams", Map.of("common_words", "a"),
                "elision", Map.of("articles", "l"),
                "keep", Map.of("keep_words", "a"),
                "keep_types", Map.of("types", "<NUM>"),
                "keyword_marker", Map.of("keywords", "a"),
                "pattern_replace", Map.of("pattern", "a"),
                "stemmer_override", Map.of("rules", "a=>b"),
                "synonym", Map.of("synonyms", List.of("a=>b")),
                "synonym_graph", Map.of("synonyms", List.of("a=>b")),
                "truncate", Map.of("length", 3));
        PipelineRecipes recipes = PipelineRecipes.ofSimHash(() -> null, () ->
                (SimHashProcessor.Factory) AnalysisModules.processors().get(SimHashProcessor.TYPE));
        List<String> failed = new ArrayList<>();
        RequestParts.known()
                .forEach((kind, types) -> types.forEach(type -> {
                    Map<String, Object> settings = new HashMap<>(needed.getOrDefault(type, Map.of()));
                    settings.put("type", type);
                    Map<String, Object> mapping = Map.of("type", type, "mappings", List.of("a=>b"));
                    Object part = settings.size() > 1 ? settings : type.equals("mapping") ? mapping : type;
                    Map<String, Object> analyzer =
                            kind.equals("tokenizer") ? Map.of(kind, part) : Map.of("tokenizer", "standard", kind, part);
                    try {
                        recipes.ofOptions(Map.of("field", "text", "analyzer", analyzer));
                    } catch (RuntimeException e) {
                        failed.add(type + ": " + e.getMessage());
                    }
                }));
        assertEquals(List.of(), failed);
    }

    private static void assertRefused(String rule, Map<String, Object> analyzer) {
        refused("[analyzer] of [config] must " + rule, Map.of("analyzer", analyzer));
        refused("[analyzers.de] of [config] must " + rule, Map.of("analyzers", Map.of("de", analyzer)));
    }

    private static void refused(String message, Map<String, Object> options) {
        var e = expectThrows(IllegalArgumentException.class, () -> RequestParts.check(options));
        assertEquals(message, e.getMessage());
    }

    private static void pass(Map<String, Object> analyzer) {
        RequestParts.check(Map.of("analyzer", analyzer));
    }

    private static Map<String, Object> tokenizer(String type, Object... settings) {
        return Map.of("tokenizer", part(type, settings));
    }

    private static Map<String, Object> filter(String type, Object... settings) {
        return Map.of("tokenizer", "standard", "filter", List.of(part(type, settings)));
    }

    private static Map<String, Object> part(String type, Object... settings) {
        Map<String, Object> part = new HashMap<>(Map.of("type", type));
        for (int i = 0; i < settings.length; i += 2) {
            part.put((String) settings[i], settings[i + 1]);
        }
        return part;
    }
}
