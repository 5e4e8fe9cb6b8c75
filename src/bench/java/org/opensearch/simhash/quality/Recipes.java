/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The recipes that are compared, as options of the processor. */
final class Recipes {

    static final Map<String, Object> DEFAULT = Map.of();
    /** An analyzer for each language, from the built-in map. */
    static final Map<String, Object> BY_LANGUAGE = Map.of("language_field", NodeProcessors.LANGUAGE);
    /** Words, raw counts, FNV-1a: what most code does. */
    static final Map<String, Object> FNV = Map.of("hash_function", "fnv1a", "weighting", "tf", "max_shingle_size", 1);
    /**
     * The words that the data sets' similarities are of: a Chinese or Japanese character, or a run of letters and digits,
     * which takes along the characters that follow it without a space ({@code Linux} and what follows is one word).
     */
    static final Map<String, Object> WORDS_OF_THE_SETS = words("[\u4e00-\u9fff\u3040-\u30ff]|[\\p{L}\\p{M}\\p{N}]+");

    /** Each character is a token, white space too. */
    static final Map<String, Object> CHARACTERS = tokens(Map.of("type", "ngram", "min_gram", 1, "max_gram", 1));

    /** A Chinese or Japanese character, or a run of other letters, marks and digits: the words of pairs without a similarity. */
    static final Map<String, Object> OWN_WORDS =
            words("[\u4e00-\u9fff\u3040-\u30ff]|[\\p{L}\\p{M}\\p{N}&&[^\u4e00-\u9fff\u3040-\u30ff]]+");

    /** By which these and pairs that no set lists are compared exactly. */
    static final Map<String, Object> WORD_SHINGLES = and(OWN_WORDS, shingles(3, 3));

    private Recipes() {}

    /** Candidates for the default, by the name of what they do otherwise. */
    static Map<String, Map<String, Object>> candidates() {
        Map<String, Map<String, Object>> recipes = new LinkedHashMap<>();
        recipes.put("default", DEFAULT);
        recipes.put("1–1", shingles(1, 1));
        recipes.put("2–2", shingles(2, 2));
        recipes.put("1–3", shingles(1, 3));
        recipes.put("2–3", shingles(2, 3));
        recipes.put("3–3", shingles(3, 3));
        recipes.put("tf", Map.of("weighting", "tf"));
        recipes.put("log_length", Map.of("weighting", "log_length"));
        recipes.put("murmur3", Map.of("hash_function", "murmur3"));
        recipes.put("language 1–1", and(BY_LANGUAGE, shingles(1, 1)));
        recipes.put("cjk", Map.of("analyzer", "cjk"));
        recipes.put("cjk 1–1", and(Map.of("analyzer", "cjk"), shingles(1, 1)));
        return recipes;
    }

    private static Map<String, Object> words(String pattern) {
        return tokens(Map.of("type", "pattern", "group", 0, "pattern", pattern));
    }

    private static Map<String, Object> tokens(Map<String, Object> tokenizer) {
        return Map.of("analyzer", Map.of("tokenizer", tokenizer, "filter", List.of("lowercase")));
    }

    private static Map<String, Object> shingles(int min, int max) {
        return Map.of("min_shingle_size", min, "max_shingle_size", max);
    }

    private static Map<String, Object> and(Map<String, Object> options, Map<String, Object> others) {
        Map<String, Object> both = new HashMap<>(options);
        both.putAll(others);
        return both;
    }
}
