/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Requests to the helpers that try to end a node, or to keep its threads, with no more than the right to read. */
final class HelperAttacks {

    private static final String WORDS = "many words of a text that is not short at all ";

    /** Characters of a large text. */
    private static final int LARGE = 1_000_000;

    private final List<Attack> attacks = new ArrayList<>();

    /**
     * One request.
     *
     * @param path behind {@code /_plugins/_simhash/}
     * @param mayPass whether an answer is fine, too: the request turns out to be harmless
     */
    record Attack(String name, String path, String body, boolean mayPass) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** All of them. */
    static List<Attack> all() {
        var attacks = new HelperAttacks();
        attacks.largeTables();
        attacks.numbersWrittenOtherwise();
        attacks.automata();
        attacks.manyParts();
        attacks.amplifiedTexts();
        attacks.backtracking();
        attacks.lists();
        attacks.partsThatAreNotKnown();
        attacks.bodies();
        attacks.largeTexts();
        attacks.otherHelpers();
        return attacks.attacks;
    }

    private void largeTables() {
        filter("min_hash with its default of buckets", part("min_hash", "hash_count", 100_000));
        filter("min_hash under its other name", part("min_hash", "hashCount", 100_000));
        filter("min_hash with large sets", part("min_hash", "hash_set_size", 100_000, "bucket_count", 1000));
        filter("many middling min_hash", repeated(30, part("min_hash", "hash_count", 190)));
        tokenizer("path_hierarchy with a buffer", part("path_hierarchy", "buffer_size", 900_000_000));
        tokenizer("keyword with a buffer", part("keyword", "buffer_size", 900_000_000));
        tokenizer("many middling buffers", null, repeated(200, part("min_hash", "hash_count", 100)), WORDS);
        filter("fingerprint of any length", part("fingerprint", "max_output_size", 2_000_000_000));
        tokenizer(
                "tokens of any length", part("standard", "max_token_length", 1_048_576), List.of(), "a".repeat(LARGE));
        filter("shingles of many words", part("shingle", "max_shingle_size", 1_000_000, "min_shingle_size", 999_999));
        filter("a large separator", part("shingle", "token_separator", "x".repeat(LARGE)));
        filter("a large filler", List.of("stop", part("shingle", "filler_token", "x".repeat(LARGE))));
    }

    private void numbersWrittenOtherwise() {
        tokenizer("a sign", part("path_hierarchy", "buffer_size", "+900000000"));
        tokenizer("zeros", part("path_hierarchy", "buffer_size", "00000000000900000000"));
        tokenizer("digits of another script", part("path_hierarchy", "buffer_size", "९००००००००"));
        tokenizer("a list", part("path_hierarchy", "buffer_size", List.of(900_000_000)));
        tokenizer("an exponent", part("path_hierarchy", "buffer_size", 9e8));
        tokenizer("hexadecimal", part("path_hierarchy", "buffer_size", "0x35a4e900"));
        tokenizer("a unit", part("path_hierarchy", "buffer_size", "900mb"));
        filter("a setting within another", part("min_hash", "hash", Map.of("x", 1), "hash_count", "+100000"));
        filter("a negative number", part("min_hash", "hash_count", -1));
        filter("a number that is none", part("ngram", "min_gram", "NaN"));
    }

    private void automata() {
        tokenizer("intervals in a repetition", part("simple_pattern", "pattern", "(<1000 a>){100000}"));
        tokenizer("an interval", part("simple_pattern", "pattern", "<1-2000000000>"));
        tokenizer("a repetition", part("simple_pattern", "pattern", "a{100000}"));
        tokenizer("repetitions of repetitions", part("simple_pattern", "pattern", "((a{99}){99}){99}"));
        tokenizer("a repetition that splits", part("simple_pattern_split", "pattern", "(ab|c){1,90000}"));
        tokenizer("exponentially many states", part("simple_pattern", "pattern", "(a|b)*a(a|b){200}"));
        tokenizer("a long pattern", part("simple_pattern", "pattern", "(abc|" + "x".repeat(LARGE) + ")"));
        tokenizer("a deep pattern", part("simple_pattern", "pattern", "(".repeat(50_000) + ")".repeat(50_000)));
        tokenizer("complements", part("simple_pattern_split", "pattern", "~(~(a*b)*c)&@".repeat(50)));
        languages("analyzers of automata", 2000, Map.of("tokenizer", part("simple_pattern", "pattern", "a{100000}")));
    }

    private void manyParts() {
        filter("thousands of parts", repeated(5000, "lowercase"));
        filter("thousands of stemmers", repeated(5000, part("snowball", "language", "Finnish")));
        languages("thousands of analyzers", 5000, Map.of("tokenizer", "standard", "filter", List.of("kstem")));
        languages("analyzers that name each other", 50, Map.of("tokenizer", "de", "filter", List.of("fr")));
        charFilter("hundreds of char filters", repeated(500, "html_strip"), WORDS);
        filter("ngrams of ngrams", repeated(12, part("ngram", "min_gram", 1, "max_gram", 2)));
        filter("edges of edges", repeated(6, part("edge_ngram", "min_gram", 1, "max_gram", 50)));
        filter("shingles of shingles", repeated(12, part("shingle", "max_shingle_size", 4)));
        filter("multiplied streams", repeated(20, part("multiplexer", "filters", List.of("lowercase", "uppercase"))));
        filter(
                "what nobody sees",
                concat(repeated(10, part("ngram", "min_gram", 1, "max_gram", 2)), part("length", "min", 900)));
    }

    private void amplifiedTexts() {
        String text = "a".repeat(10_000);
        charFilter("a character for ten thousand", List.of(replace(".", "b".repeat(10_000))), text);
        charFilter("in steps", repeated(6, replace(".", "bbbbbbbbbb")), text);
        charFilter(
                "mapped", List.of(part("mapping", "mappings", List.of("a=>" + "b".repeat(10_000)))), text.repeat(100));
        charFilter("mapped in steps", repeated(8, part("mapping", "mappings", List.of("a=>aaaaaaaa"))), text);
        charFilter("the whole over and over", List.of(replace(".+", "$0".repeat(5000))), text);
        charFilter("groups", List.of(replace("(?=(.*)).", "$1")), "a".repeat(LARGE));
        filter(
                "synonyms",
                List.of(part("synonym", "synonyms", List.of("a=>" + "b ".repeat(10_000)))),
                "a ".repeat(LARGE));
        Map<String, Object> synonym = part("synonym", "synonyms", List.of("a=>b"));
        Map<String, Object> longer = part("mapping", "mappings", List.of("a=>" + "a".repeat(90)));
        Map<String, Object> mapped =
                Map.of("tokenizer", "keyword", "char_filter", repeated(9, longer), "filter", List.of(synonym));
        text("synonyms read through mappings", Map.of("analyzer", mapped), WORDS, false);
        List<Object> replacing = repeated(9, replace(".", "a".repeat(90)));
        tokenizer("synonyms read through replacements", "keyword", concat(replacing, synonym), WORDS);
        for (String language : List.of("Hungarian", "Finnish", "Turkish", "German2")) {
            List<Object> stemmers = repeated(20, part("snowball", "language", language));
            Map<String, Object> standard = part("standard", "max_token_length", 10_000);
            tokenizer("long stems, " + language, standard, stemmers, "abakaleike".repeat(100_000));
        }
        filter(
                "replaced tokens",
                List.of(part("pattern_replace", "pattern", ".", "replacement", "b".repeat(10_000))),
                text);
        tokenizer("paths", part("path_hierarchy", "delimiter", "/"), List.of(), "a/".repeat(LARGE / 2));
        tokenizer("paths from behind", part("path_hierarchy", "reverse", true), List.of(), "a/".repeat(LARGE / 2));
        tokenizer("parts of one token", "keyword", List.of("word_delimiter_graph"), "a.".repeat(LARGE * 2));
        tokenizer(
                "ngrams of one token",
                "keyword",
                List.of(part("ngram", "min_gram", 49, "max_gram", 50)),
                WORDS.repeat(100_000));
        tokenizer("distinct ngrams", part("ngram", "min_gram", 6, "max_gram", 7), List.of("unique"), random(LARGE * 2));
        tokenizer("a set of all tokens", "whitespace", List.of("fingerprint"), random(LARGE * 4));
        filter("an automaton of the text", List.of("concatenate_graph"), WORDS.repeat(20_000));
    }

    private void backtracking() {
        String text = "a".repeat(40) + "!";
        tokenizer("nested repetitions", part("pattern", "pattern", "(a+)+$"), List.of(), text.repeat(3));
        charFilter("alternatives", List.of(replace("(a|aa)+$", "x")), text.repeat(3));
        filter("in a filter", List.of(part("pattern_replace", "pattern", "(.*a){30}$", "replacement", "x")), text);
        filter("captured", List.of(part("pattern_capture", "patterns", List.of("((a+)+)$"))), text);
        filter("keywords", List.of(part("keyword_marker", "keywords_pattern", "(a|a)*!b")), text);
        tokenizer("a square", part("pattern", "pattern", "a*b"), List.of(), "a".repeat(LARGE));
        tokenizer(
                "white space before the end", part("pattern", "pattern", "\\s+$"), List.of(), " ".repeat(LARGE) + "x");
        charFilter("a cube", List.of(replace("\\w*\\w*\\w*x", "y")), "a".repeat(LARGE));
        tokenizer("a counted square", part("pattern", "pattern", "(a?){60}a{60}"), List.of(), "a".repeat(60));
        charFilter("references", List.of(replace("(.+)\\1+$", "x")), "ab".repeat(LARGE / 2) + "c");
        charFilter("a deep one", List.of(replace("(a|b)*c", "x")), "ab".repeat(LARGE));
        charFilter(
                "canonical equivalence",
                List.of(part("pattern_replace", "pattern", "ा́̂̃̄̆̇̈̊̋", "replacement", "x", "flags", "CANON_EQ")),
                WORDS);
    }

    private void lists() {
        filter("pairs of synonyms", part("synonym", "synonyms", List.of(numbers(20_000, ","))));
        filter("many synonyms", part("synonym_graph", "synonyms", rules(500, numbers(300, ","))));
        filter("stop words", part("stop", "stopwords", words(700_000)));
        filter("kept words in one string", part("keep", "keep_words", numbers(700_000, ",")));
        charFilter(
                "a mapping of white space", List.of(part("mapping", "mappings", List.of(" ".repeat(200_000)))), WORDS);
        filter(
                "a rule of white space",
                part("stemmer_override", "rules", List.of("a".repeat(100) + " ".repeat(LARGE))));
        filter("a type table", part("word_delimiter", "type_table", List.of(" ".repeat(200_000))));
        filter(
                "a word list",
                List.of(part(
                        "dictionary_decompounder",
                        "word_list",
                        List.of("a"),
                        "min_subword_size",
                        1,
                        "max_subword_size",
                        100_000)),
                "a".repeat(200) + " ");
    }

    private void partsThatAreNotKnown() {
        filter("a dictionary", part("hunspell", "locale", "en_US"));
        filter(
                "a script",
                part("condition", "filter", List.of("lowercase"), "script", Map.of("source", "while (true) {}")));
        filter("a script that keeps", part("predicate_token_filter", "script", Map.of("source", "while (true) {}")));
        filter("a file", part("stop", "stopwords_path", "/dev/zero"));
        filter("patterns in a file", part("hyphenation_decompounder", "hyphenation_patterns_path", "/dev/random"));
        filter("a class", part("stemmer", "language", "../../../Some"));
        tokenizer("no such part", part("nothing", "size", 1));
    }

    private void bodies() {
        config("a long option", Map.of("x".repeat(LARGE), 1));
        config("a long setting", Map.of("analyzer", Map.of("tokenizer", part("standard", "y".repeat(40_000), 1))));
        config("a long value", Map.of("hash_function", "z".repeat(LARGE)));
        config("a long type", Map.of("analyzer", Map.of("tokenizer", part("t".repeat(LARGE)))));
        config("a long name", Map.of("analyzer", "n".repeat(LARGE)));
        config("a million fields", Map.of("fields", words(1_000_000)));
        config("fields of a million characters", Map.of("fields", List.of("f".repeat(LARGE))));
        raw("a deep option", "fingerprint", "{\"text\":\"x\",\"config\":{\"analyzer\":" + deep(900) + "}}", false);
        raw(
                "a deeper option",
                "fingerprint",
                "{\"text\":\"x\",\"config\":{\"analyzer\":" + deep(500_000) + "}}",
                false);
        raw("a deep document", "fingerprint", "{\"config\":{\"field\":\"a\"},\"document\":" + deep(900) + "}", true);
        raw(
                "a deeper document",
                "fingerprint",
                "{\"config\":{\"field\":\"a\"},\"document\":" + deep(500_000) + "}",
                false);
        raw(
                "empty lists",
                "fingerprint",
                "{\"config\":{\"field\":\"a\"},\"document\":{\"a\":[[]" + ",[]".repeat(3_000_000) + "]}}",
                false);
        raw(
                "small objects",
                "fingerprint",
                "{\"config\":{\"field\":\"a\"},\"document\":{\"a\":[{}" + ",{\"a\":1}".repeat(1_200_000) + "]}}",
                false);
        raw("an option twice", "fingerprint", "{\"text\":\"x\",\"config\":{\"field\":\"a\",\"field\":\"b\"}}", false);
        raw("a config and a pipeline", "fingerprint", "{\"text\":\"x\",\"config\":{},\"pipeline\":\"y\"}", false);
        raw("a pipeline in a config", "fingerprint", "{\"text\":\"x\",\"config\":{\"pipeline\":\"y\"}}", false);
        raw("a list of configs", "fingerprint", "{\"text\":\"x\",\"config\":[" + "{},".repeat(100_000) + "{}]}", false);
        raw(
                "half a character",
                "fingerprint",
                "{\"text\":\"x\",\"config\":{\"analyzer\":{\"tokenizer\":\"\\ud800\"}}}",
                false);
    }

    private void largeTexts() {
        text("a large text", Map.of(), WORDS.repeat(200_000), true);
        text("too large a text", Map.of(), WORDS.repeat(600_000), false);
        text("a large Chinese text", Map.of("analyzer", "smartcn"), "我购买了道具和服装".repeat(120_000), true);
        text("a large Thai text", Map.of("analyzer", "thai"), "ภาษาไทยเป็นภาษา".repeat(70_000), true);
        text("one large token", Map.of("analyzer", "keyword"), "x".repeat(9_000_000), true);
        text("letters that grow", Map.of(), "\uFDFA".repeat(3_000_000), true);
        text("marks", Map.of(), "a" + "\u0301\u0323".repeat(1_500_000), true);
        text("deep HTML", Map.of("html", "text"), "<div>".repeat(200_000) + "x", true);
        text("deep HTML, main content", Map.of("html", "main"), "<div><p>a, b".repeat(60_000), true);
        text("a table of HTML", Map.of("html", "text"), "<table><tr><td><b>".repeat(50_000), true);
        text("attributes of HTML", Map.of("html", "text"), "<a " + "b='c' ".repeat(200_000) + ">x", true);
        text("entities", Map.of("html", "text"), "&nGt;".repeat(1_000_000), true);
        text("the fingerprint analyzer", Map.of("analyzer", "fingerprint"), random(LARGE * 4), true);
        text("explained", Map.of("max_shingle_size", 8), random(LARGE * 4), true);
    }

    private void otherHelpers() {
        Map<String, Object> hostile = Map.of("analyzer", Map.of("tokenizer", part("pattern", "pattern", "(a+)+$")));
        String a = "a".repeat(60) + "!";
        raw(
                "compare",
                "compare",
                json(Map.of("config", hostile, "a", Map.of("text", a), "b", Map.of("text", a))),
                false);
        raw("weights", "feature_weights/attacked", json(Map.of("config", hostile)), false);
        Map<String, Object> large =
                Map.of("analyzer", Map.of("tokenizer", "standard", "filter", part("min_hash", "hash_count", 99_999)));
        raw("weights and tables", "feature_weights/attacked", json(Map.of("config", large)), false);
        raw(
                "large texts compared",
                "compare",
                json(Map.of(
                        "config",
                        Map.of(),
                        "a",
                        Map.of("text", random(4_000_000)),
                        "b",
                        Map.of("text", random(4_000_000)))),
                true);
        raw(
                "middling texts compared",
                "compare",
                json(Map.of(
                        "config",
                        Map.of(),
                        "a",
                        Map.of("text", random(200_000)),
                        "b",
                        Map.of("text", random(200_000)))),
                true);
        raw(
                "equal texts compared",
                "compare",
                json(Map.of(
                        "config",
                        Map.of(),
                        "a",
                        Map.of("text", "ab".repeat(1_000_000)),
                        "b",
                        Map.of("text", "ba".repeat(1_000_000)))),
                true);
        List<String> values = words(150_000);
        raw(
                "a document of many texts",
                "compare",
                json(Map.of(
                        "config",
                        Map.of("field", "a"),
                        "a",
                        Map.of("document", Map.of("a", values)),
                        "b",
                        Map.of("document", Map.of("a", values)))),
                true);
        raw(
                "too many texts",
                "compare",
                json(Map.of(
                        "config",
                        Map.of("field", "a"),
                        "a",
                        Map.of("text", "x"),
                        "b",
                        Map.of("document", Map.of("a", words(1_000_000))))),
                false);
    }

    private void tokenizer(String name, Object tokenizer) {
        tokenizer(name, tokenizer, List.of(), WORDS.repeat(100));
    }

    private void tokenizer(String name, Object tokenizer, List<?> filters, String text) {
        Object first = tokenizer == null ? "standard" : tokenizer;
        text(name, Map.of("analyzer", Map.of("tokenizer", first, "filter", filters)), text, true);
    }

    private void filter(String name, Object filter) {
        filter(name, filter instanceof List<?> list ? list : List.of(filter), WORDS.repeat(100));
    }

    private void filter(String name, List<?> filters, String text) {
        tokenizer(name, "standard", filters, text);
    }

    private void charFilter(String name, List<?> filters, String text) {
        text(name, Map.of("analyzer", Map.of("tokenizer", "standard", "char_filter", filters)), text, true);
    }

    /** Analyzers of so many languages. */
    private void languages(String name, int count, Object analyzer) {
        Map<String, Object> analyzers = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String code = "" + (char) ('a' + i / 676 % 26) + (char) ('a' + i / 26 % 26) + (char) ('a' + i % 26);
            analyzers.put(code + (i < 17_576 ? "" : "-" + i), analyzer);
        }
        text(name, Map.of("language_field", "l", "analyzers", analyzers), WORDS, false);
    }

    private void config(String name, Map<String, Object> config) {
        text(name, config, WORDS, false);
    }

    private void text(String name, Map<String, Object> config, String text, boolean mayPass) {
        Map<String, Object> options = new HashMap<>(config);
        options.put("min_features", 1);
        raw(name, "fingerprint", json(Map.of("config", options, "text", text, "explain", true)), mayPass);
    }

    private void raw(String name, String path, String body, boolean mayPass) {
        attacks.add(new Attack(name, path, body, mayPass));
    }

    private static String json(Map<String, ?> body) {
        return Json.write(body);
    }

    private static Map<String, Object> part(String type, Object... settings) {
        Map<String, Object> part = new HashMap<>(Map.of("type", type));
        for (int i = 0; i < settings.length; i += 2) {
            part.put((String) settings[i], settings[i + 1]);
        }
        return part;
    }

    private static Map<String, Object> replace(String pattern, String replacement) {
        return part("pattern_replace", "pattern", pattern, "replacement", replacement);
    }

    private static List<Object> repeated(int times, Object part) {
        Object[] parts = new Object[times];
        Arrays.fill(parts, part);
        return List.of(parts);
    }

    private static List<Object> concat(List<Object> parts, Object last) {
        List<Object> all = new ArrayList<>(parts);
        all.add(last);
        return all;
    }

    private static String deep(int levels) {
        return "{\"a\":".repeat(levels) + "1" + "}".repeat(levels);
    }

    private static List<String> words(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "w" + Integer.toString(i, 36))
                .toList();
    }

    private static String numbers(int count, String separator) {
        return String.join(separator, words(count));
    }

    private static List<String> rules(int count, String rule) {
        return IntStream.range(0, count).mapToObj(i -> rule + "," + i).toList();
    }

    /** Words that are all others. */
    private static String random(int characters) {
        var random = new Random(7);
        return IntStream.range(0, characters / 8)
                .mapToObj(i -> Integer.toString(random.nextInt(1 << 30) + (1 << 30), 36)
                        .substring(0, 6))
                .collect(Collectors.joining(", "));
    }
}
