/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.LowerCaseFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.Buffers;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.SketchedText;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;

/** Texts to sketches; and one analysis for a fingerprint and a sketch. */
class SketchedTextTests {

    private static final String TEXT = "The city council approved the new tram line on Monday, after years of debate.";

    private static final LanguageAnalyzers STANDARD = new LanguageAnalyzers(new StandardWordAnalyzer(), Map.of(), null);

    private static Recipe sketching(Recipe recipe, BandLayout layout) {
        return new Recipe(
                recipe.fields(),
                recipe.html(),
                recipe.analyzer(),
                recipe.languageField(),
                recipe.languageDetection(),
                recipe.analyzers(),
                3,
                3,
                Weighting.LOG_TF,
                recipe.hashFunction(),
                recipe.featureWeights(),
                recipe.segments(),
                layout.rows(),
                layout,
                null,
                Boilerplate.NONE);
    }

    private static Recipe byDefault() {
        return sketching(new RecipeBuilder().build(), BandLayout.DEFAULT);
    }

    /** Frozen: a change here is a new scheme version. */
    @Test
    void testTheSketchOfATextDoesNotChange() {
        SketchedText text = new Fingerprinter(byDefault(), STANDARD).sketch(SourceTexts.of(TEXT), bytes -> {});
        assertEquals("m2-8446641e", text.scheme());
        assertEquals(12, text.size());
        assertEquals("faa84a4bb6434e15184d6555b143d635", text.digest());
        assertEquals(
                "0075ad 0195d2 02b92d 038c14 04ad88 054c2c 06c6fb 071d49 "
                        + "08d7a9 09abc5 0a6ab4 0b61fb 0c115a 0daa03 0e61e5 0ff2ef "
                        + "10945e 11397c 12390d 13be28 1478c5 15a2ab 164b3d 17df0b "
                        + "183320 19c367 1aadaa 1b6d5d 1c7262 1d2820 1e6519 1f6e3d",
                String.join(" ", BandLayout.DEFAULT.terms(text.sketch().orElseThrow())));
        assertEquals(
                "AAAADGd1Cp25dS1Cy7lCfbjM4WRKzbiItIxSnMwWD4vBrQQ5LSfKeVprjIUGWusUJlHv+8FhpapKCgCTVkF+1U8CLr9Z"
                        + "pJUu43nnnCPZoD0bbmJIZwjclfqyagtUC4OdTS+Aa9MjwqCsIzYXag1qKmZ9Jf0HUpZi0siiADZFsel2zpNt",
                text.sketch().orElseThrow().toBase64());
    }

    @Test
    void testFewerFeaturesThanRowsMakeNoSketch() {
        Fingerprinter sketcher = new Fingerprinter(byDefault(), STANDARD);
        assertFalse(sketcher.sketch(SourceTexts.of("one two three four five"), bytes -> {})
                .sketch()
                .isPresent());
        assertEquals(
                3,
                sketcher.sketch(SourceTexts.of("one two three four five"), bytes -> {})
                        .size());
        assertEquals(1, sketcher.sketch(SourceTexts.of("one"), bytes -> {}).size());
        assertEquals(0, sketcher.sketch(SourceTexts.of(" "), bytes -> {}).size());
    }

    @Test
    void testTheSchemeTellsWhatChangesASketch() {
        Recipe recipe = new RecipeBuilder().build();
        String scheme = byDefault().scheme();
        assertNotEquals(scheme, sketching(recipe, new BandLayout(256, 32, 4)).scheme());
        assertNotEquals(scheme, sketching(recipe, new BandLayout(128, 16, 4)).scheme());
        assertNotEquals(scheme, sketching(recipe, new BandLayout(128, 32, 3)).scheme());
        Recipe damped =
                new RecipeBuilder().featureWeights(Map.of("the new tram", 0.5)).build();
        assertEquals(scheme, sketching(damped, BandLayout.DEFAULT).scheme(), "a set knows no weights");
        Recipe without =
                new RecipeBuilder().featureWeights(Map.of("the new tram", 0.0)).build();
        assertNotEquals(scheme, sketching(without, BandLayout.DEFAULT).scheme());
        assertEquals(
                11,
                new Fingerprinter(sketching(without, BandLayout.DEFAULT), STANDARD)
                        .sketch(SourceTexts.of(TEXT), bytes -> {})
                        .size());
    }

    /** Counts the texts that it is given. */
    private static final class CountingAnalyzer extends Analyzer {
        private int texts;

        @Override
        protected TokenStreamComponents createComponents(String field) {
            StandardTokenizer tokenizer = new StandardTokenizer();
            return new TokenStreamComponents(
                    reader -> {
                        texts++;
                        tokenizer.setReader(reader);
                    },
                    new LowerCaseFilter(tokenizer));
        }
    }

    @Test
    void testATextIsAnalysedOnceForBothInWhateverOrder() {
        CountingAnalyzer counting = new CountingAnalyzer();
        LanguageAnalyzers analyzers = new LanguageAnalyzers(counting, Map.of(), null);
        Recipe recipe = new RecipeBuilder().build();
        List<SourceTexts> documents = new ArrayList<>();
        documents.add(SourceTexts.of(TEXT));
        documents.add(SourceTexts.of("東京都の新しい路面電車 " + TEXT));
        documents.add(SourceTexts.of("one"));
        documents.add(SourceTexts.of(""));
        documents.add(new SourceTexts(
                List.of(
                        new FieldTexts(1, List.of(TEXT, "", "two words")),
                        new FieldTexts(1, List.of("and more of it"))),
                null));
        documents.add(SourceTexts.of(TEXT.repeat(300)));
        for (SourceTexts document : documents) {
            Fingerprint alone = new Fingerprinter(recipe, analyzers).fingerprint(document, bytes -> {});
            SketchedText sketchAlone = new Fingerprinter(byDefault(), analyzers).sketch(document, bytes -> {});
            Buffers buffers = new Buffers();
            Fingerprinter fingerprinter = new Fingerprinter(recipe, analyzers, buffers);
            Fingerprinter sketcher = new Fingerprinter(byDefault(), analyzers, buffers);
            int before = counting.texts;
            assertEquals(alone, fingerprinter.fingerprint(document, bytes -> {}));
            int once = counting.texts - before;
            assertEquals(sketchAlone, sketcher.sketch(document, bytes -> {}));
            assertEquals(alone, fingerprinter.fingerprint(document, bytes -> {}));
            assertEquals(once, counting.texts - before, "texts analysed");
            sketcher.sketch(SourceTexts.of("another text in between them"), bytes -> {});
            before = counting.texts;
            assertEquals(sketchAlone, sketcher.sketch(document, bytes -> {}));
            assertEquals(alone, fingerprinter.fingerprint(document, bytes -> {}));
            assertEquals(once, counting.texts - before, "texts analysed");
        }
    }

    @Test
    void testRecipesThatCutTextsOtherwiseShareNothing() {
        Buffers buffers = new Buffers();
        Recipe other = new RecipeBuilder().hashFunction(HashFunction.FNV1A).build();
        SourceTexts document = SourceTexts.of("Ein schöner Tag für die Straßenbahn der Stadt und für ihre Gäste");
        new Fingerprinter(other, STANDARD, buffers).fingerprint(document, bytes -> {});
        assertEquals(
                new Fingerprinter(byDefault(), STANDARD).sketch(document, bytes -> {}),
                new Fingerprinter(byDefault(), STANDARD, buffers).sketch(document, bytes -> {}));
    }

    @Test
    void testLongTextsAreAnalysedEachTimeAndNotKept() {
        CountingAnalyzer counting = new CountingAnalyzer();
        LanguageAnalyzers analyzers = new LanguageAnalyzers(counting, Map.of(), null);
        Buffers buffers = new Buffers();
        SourceTexts document = SourceTexts.of("word ".repeat(AnalysedTexts.MOST_TOKENS));
        SketchedText alone = new Fingerprinter(byDefault(), analyzers).sketch(document, bytes -> {});
        new Fingerprinter(new RecipeBuilder().build(), analyzers, buffers).fingerprint(document, bytes -> {});
        assertEquals(alone, new Fingerprinter(byDefault(), analyzers, buffers).sketch(document, bytes -> {}));
        assertEquals(3, counting.texts);
        assertFalse(buffers.ofThread().analysed.areOf(byDefault().analysis(), document));
    }
}
