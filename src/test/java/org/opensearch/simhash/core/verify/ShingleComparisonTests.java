/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jaccard and containment against sets of strings. */
class ShingleComparisonTests {

    private static final Analyzer WORDS = new WhitespaceAnalyzer();

    @ParameterizedTest
    @EnumSource(names = {"JACCARD", "CONTAINMENT"})
    void testAgreesWithSetsOfStringsOnRandomTexts(Measure measure) {
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            int vocabulary = 1 + random.nextInt(20);
            List<String> a = tokens(random, random.nextInt(60), vocabulary);
            List<String> b = random.nextBoolean() ? edit(random, a) : tokens(random, random.nextInt(60), vocabulary);
            int size = 1 + random.nextInt(8);
            double threshold = random.nextDouble();
            String message = measure + ", seed " + seed + ", size " + size + ", threshold " + threshold;
            double exact = a.isEmpty() && b.isEmpty() ? 1 : NaiveSimilarity.of(measure, a, b, size);
            assertEquals(exact, compare(measure, size, 0, a, b).similarity(), message);
            assertEquals(exact, compare(measure, size, 0, b, a).similarity(), message);
            assertEquals(exact, compare(measure, size, exact, a, b).similarity(), message);
            assertTrue(0 <= exact && exact <= 1, message);
            Verdict verdict = compare(measure, size, threshold, a, b);
            if (exact >= threshold) {
                assertEquals(new Verdict(Verdict.Outcome.SIMILAR, exact), verdict, message);
            } else {
                assertSame(Verdict.BELOW_MINIMUM, verdict, message);
            }
        }
    }

    @Test
    void testJaccardOfAKnownPair() {
        // "a b c", "b c d", "c d e" and "a b c", "b c d", "c d f": two of four
        assertEquals(
                0.5, compare(Measure.JACCARD, 3, 0.5, "a b c d e", "a b c d f").similarity());
        assertEquals(
                2 / 3.0,
                compare(Measure.CONTAINMENT, 3, 0.5, "a b c d e", "a b c d f").similarity());
    }

    @Test
    void testATextWithinAnotherIsContained() {
        assertEquals(
                1, compare(Measure.CONTAINMENT, 2, 1, "b c d", "a b c d e f g").similarity());
        assertEquals(
                1, compare(Measure.CONTAINMENT, 2, 1, "a b c d e f g", "b c d").similarity());
        assertEquals(
                1 / 3.0,
                compare(Measure.JACCARD, 2, 0, "b c d", "a b c d e f g").similarity());
    }

    @Test
    void testATextOfFewerTokensIsOneShingle() {
        assertEquals(1, compare(Measure.JACCARD, 3, 1, "a b", " a  b ").similarity());
        assertEquals(0, compare(Measure.JACCARD, 3, 0, "a b", "b a").similarity());
        assertEquals(0, compare(Measure.JACCARD, 3, 0, "a b", "a b c").similarity());
    }

    @ParameterizedTest
    @EnumSource(names = {"JACCARD", "CONTAINMENT"})
    void testTextsWithoutTokensAreSimilarOnlyWhenTheyAreEqual(Measure measure) {
        Analyzer analyzer = new StandardAnalyzer();
        Verification verification = new Verification("text", measure, 3, 0, null);
        ShingleComparison punctuation = new ShingleComparison(verification, analyzer, "?!", bytes -> {}, () -> {});
        assertEquals(1, punctuation.compare("?!", bytes -> {}, () -> {}).similarity());
        assertEquals(0, punctuation.compare("!?", bytes -> {}, () -> {}).similarity());
        assertEquals(0, punctuation.compare("word", bytes -> {}, () -> {}).similarity());
        assertEquals(
                0,
                new ShingleComparison(verification, analyzer, "word", bytes -> {}, () -> {})
                        .compare("?!", bytes -> {}, () -> {})
                        .similarity());
    }

    @Test
    void testTheAnalyzerDecidesWhatAWordIs() {
        Verification verification = new Verification("text", Measure.JACCARD, 1, 0, null);
        String text = "Quick, brown FOX";
        assertEquals(
                1,
                new TextComparison(
                                verification, new StandardAnalyzer(), TokenWeights.EQUAL, text, bytes -> {}, () -> {})
                        .compare("quick brown fox", bytes -> {}, () -> {})
                        .similarity());
        assertEquals(
                0.5,
                new TextComparison(verification, WORDS, TokenWeights.EQUAL, text, bytes -> {}, () -> {})
                        .compare("quick brown fox", bytes -> {}, () -> {})
                        .similarity());
    }

    @Test
    void testALongAnalysisCanBeCancelled() {
        ShingleComparison comparison = new ShingleComparison(
                new Verification("text", Measure.CONTAINMENT, 3, 0.8, null),
                WORDS,
                "one two three",
                bytes -> {},
                () -> {});
        Runnable cancelled = () -> {
            throw new CancellationException();
        };
        assertThrows(
                CancellationException.class, () -> comparison.compare("word ".repeat(10_000), bytes -> {}, cancelled));
        assertSame(Verdict.BELOW_MINIMUM, comparison.compare("word ".repeat(10_000), bytes -> {}, () -> {}));
    }

    private static List<String> tokens(Random random, int length, int vocabulary) {
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            tokens.add("w" + random.nextInt(vocabulary));
        }
        return tokens;
    }

    private static List<String> edit(Random random, List<String> tokens) {
        List<String> edited = new ArrayList<>(tokens);
        for (int i = random.nextInt(6); i > 0; i--) {
            edited.add(random.nextInt(edited.size() + 1), "new" + i);
            edited.remove(random.nextInt(edited.size()));
        }
        return edited;
    }

    private static Verdict compare(Measure measure, int size, double minSimilarity, List<String> a, List<String> b) {
        return compare(measure, size, minSimilarity, String.join(" ", a), String.join(" ", b));
    }

    private static Verdict compare(Measure measure, int size, double minSimilarity, String a, String b) {
        Verification verification = new Verification("text", measure, size, minSimilarity, null);
        return new ShingleComparison(verification, WORDS, a, bytes -> {}, () -> {}).compare(b, bytes -> {}, () -> {});
    }
}
