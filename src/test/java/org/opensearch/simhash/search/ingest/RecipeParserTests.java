/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.opensearch.OpenSearchParseException;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.test.OpenSearchTestCase;

/** Options as people type them. */
public class RecipeParserTests extends OpenSearchTestCase {

    public void testDefaults() {
        Recipe expected = new Recipe(
                List.of(new WeightedField("content", 1)),
                HtmlExtraction.NONE,
                "standard",
                null,
                false,
                Map.of(),
                1,
                2,
                Weighting.LOG_TF,
                HashFunction.XXH3,
                Map.of(),
                new SegmentLayout(4),
                8,
                null,
                null,
                Boilerplate.NONE);
        assertEquals(expected, parse("field", "content"));
    }

    public void testEveryOption() {
        Map<String, Object> inline = Map.of("tokenizer", "whitespace");
        Map<String, Object> options = options("fields", List.of("title^3", "body.text", "tags^0.5"));
        options.put("html", "text");
        options.put("analyzer", inline);
        options.put("language_field", "lang");
        options.put("analyzers", Map.of("ZH_TW", "cjk", "eo", inline));
        options.put("min_shingle_size", 2);
        options.put("max_shingle_size", "3");
        options.put("weighting", "tf");
        options.put("hash_function", "fnv1a");
        options.put("feature_weights", Map.of("of the", 0, "a", 0.2));
        options.put("segments", 6);
        options.put("min_features", 1);

        Recipe recipe = ProcessorOptions.read(
                "simhash", "tag", options, TextProcessor.OPTIONS.get(SketchKind.SIMHASH), RecipeParser::parse);

        assertEquals(
                List.of(
                        new WeightedField("title", 3),
                        new WeightedField("body.text", 1),
                        new WeightedField("tags", 0.5)),
                recipe.fields());
        assertEquals(HtmlExtraction.TEXT, recipe.html());
        assertEquals(inline, recipe.analyzer());
        assertEquals("lang", recipe.languageField());
        assertEquals(2, recipe.minShingleSize());
        assertEquals(3, recipe.maxShingleSize());
        assertEquals(Weighting.TF, recipe.weighting());
        assertEquals(HashFunction.FNV1A, recipe.hashFunction());
        assertEquals(Map.of("of the", 0.0, "a", 0.2), recipe.featureWeights());
        assertEquals(new SegmentLayout(6), recipe.segments());
        assertEquals(1, recipe.minFeatures());
        assertEquals("all options are taken out of the map", Map.of(), options);
    }

    public void testEveryChoice() {
        for (HtmlExtraction html : HtmlExtraction.values()) {
            assertEquals(html, parse("field", "a", "html", nameOf(html)).html());
        }
        for (Weighting weighting : Weighting.values()) {
            assertEquals(
                    weighting,
                    parse("field", "a", "weighting", nameOf(weighting)).weighting());
        }
        for (HashFunction function : HashFunction.values()) {
            assertEquals(
                    function,
                    parse("field", "a", "hash_function", nameOf(function)).hashFunction());
        }
    }

    public void testLanguagesAreMergedOverTheBuiltInOnes() {
        Map<String, Object> merged = parse(
                        "field",
                        "a",
                        "language_field",
                        "lang",
                        "analyzers",
                        Map.of("EN", "whitespace", "pt_BR", "stop"))
                .analyzers();
        assertEquals("whitespace", merged.get("en"));
        assertEquals("stop", merged.get("pt-br"));
        assertEquals("smartcn", merged.get("zh"));
        assertEquals("no other language changes the words", 3, merged.size());
    }

    public void testDetectionOfLanguagesBringsTheBuiltInAnalyzersToo() {
        Recipe recipe = parse("field", "a", "language_detection", true, "analyzers", Map.of("en", "whitespace"));
        assertTrue(recipe.languageDetection());
        assertEquals("whitespace", recipe.analyzers().get("en"));
        assertEquals("smartcn", recipe.analyzers().get("zh"));
        assertEquals("without either", Map.of(), parse("field", "a").analyzers());
    }

    public void testUnknownOptionsAreRefused() {
        assertRefused("unknown option [colour]", options("field", "content", "colour", "red", "segments", 4));
        assertRefused("unknown option [segment], did you mean [segments]?", options("field", "content", "segment", 4));
    }

    public void testExactlyOneOfFieldAndFieldsIsRequired() {
        assertRefused("exactly one of [field], [fields] and [hash_field] is required, got: none", new HashMap<>());
        assertRefused(
                "exactly one of [field], [fields] and [hash_field] is required, got: both",
                options("field", "a", "fields", List.of("b")));
    }

    public void testWrongFieldsAreNamed() {
        assertRefused("[field] must name a field, got an empty name", options("field", ""));
        for (String name : List.of(".", "a..b", ".a", "a.")) {
            assertRefused(
                    "[field] must name a field without empty parts between its dots, got: " + name,
                    options("field", name));
        }
        assertRefused("[field] must be a string, got: 7", options("field", 7));
        assertRefused("[fields] must be a list, got: title", options("fields", "title"));
        assertRefused("[fields] must name at least one field, got: []", options("fields", List.of()));
        assertRefused(
                "[fields] must name a field once, got: [title, body, title]",
                options("fields", List.of("title", "body", "title^2")));
        assertRefused("[fields] must be a list of field names, got: 7", options("fields", List.of("title", 7)));
        assertRefused("[fields] must be a list of field names, got: null", options("fields", Arrays.asList("a", null)));
        assertRefused("[fields] must name fields, got an empty name", options("fields", List.of("")));
        assertRefused("[fields] must name fields, got an empty name", options("fields", List.of("^3")));
        assertRefused(
                "[fields] must name fields without empty parts between its dots, got: a..b",
                options("fields", List.of("title", "a..b^2")));
        assertRefused("[fields] weight must be a number, got: title^0x1p3", options("fields", List.of("title^0x1p3")));
        assertRefused(
                "[fields] weight must be a number, got: title^" + "1".repeat(58) + "...",
                options("fields", List.of("title^" + "1".repeat(3_000_000))));
        assertRefused("[fields] weight must be a number, got: title^", options("fields", List.of("title^")));
        assertRefused("[fields] weight must be a number, got: title^much", options("fields", List.of("title^much")));
        assertRefused(
                "[fields] weight of [title] must be greater than 0 and at most 1000, got: 0.0",
                options("fields", List.of("title^0")));
        assertRefused(
                "[fields] weight of [title] must be greater than 0 and at most 1000, got: -1.0",
                options("fields", List.of("title^-1")));
        assertRefused(
                "[fields] weight of [title] must be greater than 0 and at most 1000, got: 1001.0",
                options("fields", List.of("title^1001")));
        assertRefused("[fields] weight must be a number, got: title^NaN", options("fields", List.of("title^NaN")));
    }

    /** Each document is searched for all fields, and each language may have an analyzer of its own. */
    public void testWhatEachDocumentGoesThroughIsBounded() {
        List<String> fields =
                IntStream.range(0, 101).mapToObj(field -> "f" + field).toList();
        assertEquals(100, parse("fields", fields.subList(0, 100)).fields().size());
        assertRefused("[fields] must have at most 100 fields, got: 101", options("fields", fields));
        Map<String, Object> analyzers = new TreeMap<>();
        for (int region = 100; region <= 300; region++) {
            analyzers.put("de-" + region, Map.of("tokenizer", "whitespace"));
        }
        Map<String, Object> options = options("field", "a", "language_field", "lang");
        options.put("analyzers", analyzers);
        assertRefused("[analyzers] must have at most 200 languages, got: 201", options);
    }

    public void testAFactorMayBeTypedAsAString() {
        Map<String, Object> typed = Map.of("a", "0.25", "b", 0.25, "c", "3");
        assertEquals(
                Map.of("a", 0.25, "b", 0.25, "c", 3.0),
                parse("field", "text", "feature_weights", typed).featureWeights());
    }

    public void testOnlyEntriesOfFieldsHaveWeights() {
        for (String field : List.of("title^3", "title^0.5", "a.b^1e2", "^3")) {
            assertRefused(
                    "[field] must name a field without a weight, which entries of [fields] may have, got: " + field,
                    "field",
                    field);
        }
        assertEquals("a^b", parse("field", "a^b").fields().getFirst().path());
    }

    public void testWrongValuesAreNamedWithTheRule() {
        assertRefused("[html] must be one of [none, text, main], got: yes", "html", "yes");
        assertRefused("[html] must be one of [none, text, main], got: true", "html", true);
        assertRefused("[weighting] must be one of [log_tf, tf, log_length], got: LOG_TF", "weighting", "LOG_TF");
        assertRefused("[hash_function] must be one of [murmur3, xxh3, fnv1a], got: md5", "hash_function", "md5");
        assertRefused("[min_shingle_size] must be between 1 and 8, got: 0", "min_shingle_size", 0);
        assertRefused("[max_shingle_size] must be between 1 and 8, got: 9", "max_shingle_size", 9);
        assertRefused("[min_shingle_size] must be at most [max_shingle_size], got: 3 and 2", "min_shingle_size", 3);
        assertRefused("[max_shingle_size] must be a whole number, got: two", "max_shingle_size", "two");
        assertRefused("[segments] must be between 2 and 8, got: 1", "segments", 1);
        assertRefused("[segments] must be between 2 and 8, got: 9", "segments", 9);
        assertRefused("[segments] must be a whole number, got: 4.5", "segments", 4.5);
        assertRefused("[min_features] must be 1 or more, got: 0", "min_features", 0);
        assertRefused("[feature_weights] must be an object, got: a", "feature_weights", "a");
        assertRefused(
                "[feature_weights] factor of [a] must be a number, got: much", "feature_weights", Map.of("a", "much"));
        assertRefused(
                "[feature_weights] factor of [a] must be between 0 and 1000, got: -1.0",
                "feature_weights",
                Map.of("a", -1));
        assertRefused("[language_field] must name a field, got an empty name", "language_field", "");
        assertRefused(
                "[analyzers] needs [language_field] or [language_detection], got: neither",
                "analyzers",
                Map.of("en", "english"));
        assertRefused(
                "[analyzers] must map ISO 639 language codes to analyzers, got: xx_YY",
                options("field", "a", "language_field", "lang", "analyzers", Map.of("xx_YY", "english")));
        assertRefused(
                "[analyzers] must map a language once, got: [EN, en]",
                options(
                        "field",
                        "a",
                        "language_field",
                        "lang",
                        "analyzers",
                        new TreeMap<>(Map.of("en", "english", "EN", "standard"))));
        Map<String, Object> nothing = new HashMap<>();
        nothing.put("en", null);
        assertRefused(
                "[analyzers.en] must name an analyzer, got: null",
                options("field", "a", "language_field", "lang", "analyzers", nothing));
    }

    private static Recipe parse(Object... options) {
        return ProcessorOptions.read(
                "simhash", "tag", options(options), TextProcessor.OPTIONS.get(SketchKind.SIMHASH), RecipeParser::parse);
    }

    private static void assertRefused(String message, String option, Object value) {
        assertRefused(message, options("field", "content", option, value));
    }

    private static void assertRefused(String message, Map<String, Object> options) {
        OpenSearchParseException e = expectThrows(
                OpenSearchParseException.class,
                () -> ProcessorOptions.read(
                        "simhash", "tag", options, TextProcessor.OPTIONS.get(SketchKind.SIMHASH), RecipeParser::parse));
        assertEquals(message, e.getMessage());
        assertEquals(List.of("simhash"), e.getMetadata("opensearch.processor_type"));
        assertEquals(List.of("tag"), e.getMetadata("opensearch.processor_tag"));
    }

    private static Map<String, Object> options(Object... keysAndValues) {
        Map<String, Object> options = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            options.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return options;
    }

    private static String nameOf(Enum<?> choice) {
        return choice.name().toLowerCase(java.util.Locale.ROOT);
    }
}
