/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.html.HtmlExtraction;

class RecipeTests {

    @Test
    void testTheSchemeOfTheDefaultRecipeIsFrozen() {
        assertEquals("v3-fa81d1b0", new RecipeBuilder().build().scheme());
    }

    @Test
    void testEveryOptionThatChangesTheFingerprintChangesTheScheme() {
        List<RecipeBuilder> recipes = List.of(
                new RecipeBuilder(),
                new RecipeBuilder().analyzer("english"),
                new RecipeBuilder().analyzer(Map.of("tokenizer", "standard")),
                new RecipeBuilder().html(HtmlExtraction.TEXT),
                new RecipeBuilder().html(HtmlExtraction.MAIN),
                new RecipeBuilder().shingles(1, 1),
                new RecipeBuilder().shingles(2, 2),
                new RecipeBuilder().weighting(Weighting.TF),
                new RecipeBuilder().weighting(Weighting.LOG_LENGTH),
                new RecipeBuilder().hashFunction(HashFunction.MURMUR3),
                new RecipeBuilder().hashFunction(HashFunction.FNV1A),
                new RecipeBuilder().featureWeights(Map.of("the", 0.0)),
                new RecipeBuilder().featureWeights(Map.of("the", 0.2)),
                new RecipeBuilder().fields(new WeightedField("title", 3), new WeightedField("content", 1)));
        Set<String> schemes = new HashSet<>();
        for (RecipeBuilder recipe : recipes) {
            String scheme = recipe.build().scheme();
            assertTrue(scheme.matches("v3-[0-9a-f]{8}"), scheme);
            assertTrue(schemes.add(scheme), "same scheme twice: " + recipe.build());
        }
    }

    /** Synonyms are written with commas. */
    @Test
    void testACommaIsNotTheEndOfAnEntry() {
        Set<String> schemes = new HashSet<>();
        for (List<String> synonyms : List.of(
                List.of("usa, america", "uk"),
                List.of("usa", "america, uk"),
                List.of("usa", "america", "uk"),
                List.of("usa, america, uk"))) {
            Map<String, Object> filter = Map.of("type", "synonym", "synonyms", synonyms);
            String scheme = new RecipeBuilder()
                    .analyzer(Map.of("tokenizer", "standard", "filter", List.of(filter)))
                    .build()
                    .scheme();
            assertTrue(schemes.add(scheme), "the scheme of others: " + synonyms);
        }
        assertNotEquals(
                new RecipeBuilder()
                        .featureWeights(Map.of("a=1.0, b", 1.0))
                        .build()
                        .scheme(),
                new RecipeBuilder()
                        .featureWeights(Map.of("a", 1.0, "b", 1.0))
                        .build()
                        .scheme());
    }

    /** Brackets, commas and signs of equality in a text are no lists and maps. */
    @Test
    void testNoTwoOptionsAreWrittenAlike() {
        Set<String> schemes = new HashSet<>();
        Map<String, Object> withNull = new HashMap<>();
        withNull.put("a", null);
        for (Object option : List.of(
                List.of("the"),
                "[the]",
                "[1]3\"the",
                List.of(List.of("the")),
                List.of(),
                "",
                "[]",
                "{}",
                Map.of(),
                Map.of("a", "b"),
                "{a=b}",
                List.of("a", "b"),
                List.of("a, b"),
                List.of("ab"),
                Map.of("a", "b, c=d"),
                Map.of("a", "b", "c", "d"),
                withNull,
                Map.of("a", "null"),
                Map.of("a", "-"),
                Map.of("a", List.of()),
                Map.of("a", Map.of()))) {
            Map<String, Object> analyzer = Map.of("tokenizer", "standard", "stopwords", option);
            assertTrue(
                    schemes.add(new RecipeBuilder().analyzer(analyzer).build().scheme()),
                    "the scheme of others: " + option);
        }
    }

    @Test
    void testWhatLeavesTheFingerprintAloneLeavesTheSchemeAlone() {
        String scheme = new RecipeBuilder().build().scheme();
        assertEquals(scheme, new RecipeBuilder().segments(6).build().scheme());
        assertEquals(scheme, new RecipeBuilder().minFeatures(1).build().scheme());
        assertEquals(
                scheme,
                new RecipeBuilder().fields(new WeightedField("body", 1)).build().scheme());
    }

    @Test
    void testTheOrderOfEntriesDoesNotMatter() {
        Map<String, Double> forward = new LinkedHashMap<>();
        Map<String, Double> backward = new LinkedHashMap<>();
        for (int i = 0; i < 100; i++) {
            forward.put("feature " + i, i / 100.0);
            backward.put("feature " + (99 - i), (99 - i) / 100.0);
        }
        assertEquals(
                new RecipeBuilder().featureWeights(forward).build().scheme(),
                new RecipeBuilder().featureWeights(backward).build().scheme());
        assertNotEquals(
                new RecipeBuilder().build().scheme(),
                new RecipeBuilder().featureWeights(forward).build().scheme());
    }

    @Test
    void testWrongOptionsAreNamedWithTheRuleAndTheValue() {
        assertRefused("[min_shingle_size] must be between 1 and 8, got: 0", new RecipeBuilder().shingles(0, 2));
        assertRefused("[max_shingle_size] must be between 1 and 8, got: 9", new RecipeBuilder().shingles(1, 9));
        assertRefused(
                "[min_shingle_size] must be at most [max_shingle_size], got: 3 and 2",
                new RecipeBuilder().shingles(3, 2));
        assertRefused("[min_features] must be 1 or more, got: 0", new RecipeBuilder().minFeatures(0));
        assertRefused(
                "[feature_weights] factor of [a] must be between 0 and 1000, got: -0.5",
                new RecipeBuilder().featureWeights(Map.of("a", -0.5)));
        assertRefused(
                "[feature_weights] factor of [a] must be between 0 and 1000, got: NaN",
                new RecipeBuilder().featureWeights(Map.of("a", Double.NaN)));
        assertRefused("[fields] must name at least one field, got: []", new RecipeBuilder().fields());
        Map<String, Double> many = new HashMap<>();
        for (int i = 0; i <= Recipe.MAX_FEATURE_WEIGHTS; i++) {
            many.put("f" + i, 1.0);
        }
        assertRefused(
                "[feature_weights] must have at most 50000 entries, got: 50001",
                new RecipeBuilder().featureWeights(many));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> new WeightedField("title", 0));
        assertEquals("[fields] weight of [title] must be greater than 0 and at most 1000, got: 0.0", e.getMessage());
    }

    private static void assertRefused(String message, RecipeBuilder recipe) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, recipe::build).getMessage());
    }
}
