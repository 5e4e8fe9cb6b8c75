/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;

/** The cosine of weighted shingles, against the definition. */
class CosineComparisonTests {

    private static final Analyzer WORDS = new WhitespaceAnalyzer();

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    private static Verdict compare(int size, double minimum, TokenWeights weights, String a, String b) {
        Verification verification = new Verification("text", Measure.COSINE, size, minimum, null);
        return new TextComparison(verification, WORDS, weights, a, bytes -> {}, () -> {})
                .compare(b, bytes -> {}, () -> {});
    }

    /** By maps of shingles as they are read. */
    private static double naive(int size, TokenWeights weights, String a, String b) {
        Map<List<String>, Double> x = vector(size, weights, a);
        Map<List<String>, Double> y = vector(size, weights, b);
        double product = 0;
        for (Map.Entry<List<String>, Double> shingle : x.entrySet()) {
            product += shingle.getValue() * y.getOrDefault(shingle.getKey(), 0.0);
        }
        return product == 0 ? 0 : product / (norm(x) * norm(y));
    }

    private static double norm(Map<List<String>, Double> vector) {
        return Math.sqrt(vector.values().stream().mapToDouble(w -> w * w).sum());
    }

    private static Map<List<String>, Double> vector(int size, TokenWeights weights, String text) {
        List<String> words = List.of(text.split(" "));
        Map<List<String>, Integer> counts = new HashMap<>();
        for (int i = 0; i + Math.min(size, words.size()) <= words.size(); i++) {
            counts.merge(words.subList(i, i + Math.min(size, words.size())), 1, Integer::sum);
        }
        Map<List<String>, Double> vector = new HashMap<>();
        counts.forEach((shingle, count) -> vector.put(
                shingle,
                (1 + Math.log(count))
                        * shingle.stream()
                                .mapToDouble(weights::weight)
                                .average()
                                .orElse(0)));
        return vector;
    }

    @Test
    void testEqualsTheDefinitionForRandomTexts() {
        Random random = new Random(seed.value());
        TokenWeights weights = token -> token.length() + token.charAt(0) % 3;
        for (int round = 0; round < 300; round++) {
            int size = 1 + random.nextInt(4);
            String a = text(random, 1 + random.nextInt(120));
            String b = random.nextBoolean() ? a + " " + text(random, 5) : text(random, 1 + random.nextInt(120));
            double expected = naive(size, weights, a, b);
            assertEquals(expected, compare(size, 0, weights, a, b).similarity(), 1e-9);
            assertEquals(expected, compare(size, 0, weights, b, a).similarity(), 1e-9, "whichever comes first");
        }
    }

    private static String text(Random random, int words) {
        List<String> text = new ArrayList<>();
        for (int i = 0; i < words; i++) {
            text.add(Character.toString('a' + random.nextInt(20)).repeat(1 + random.nextInt(2)));
        }
        return String.join(" ", text);
    }

    /** A footer of ten words that everybody has, below four that nobody else has. */
    @Test
    void testWhatSaysLittleCountsLittle() {
        String footer = " the of and to in is on by it at";
        TokenWeights rare = token -> token.length() > 3 ? 10 : 0.1;
        String a = "tram line closes monday" + footer;
        String b = "bread bakes until brown" + footer;
        assertTrue(compare(1, 0, TokenWeights.EQUAL, a, b).similarity() > 0.7);
        assertTrue(compare(1, 0, rare, a, b).similarity() < 0.01);
        assertTrue(compare(1, 0, rare, a, "tram line closes monday and by").similarity() > 0.99);
    }

    @Test
    void testTheMinimumDecides() {
        assertTrue(compare(1, 0.49, TokenWeights.EQUAL, "a b", "a c").isSimilar());
        assertFalse(compare(1, 0.51, TokenWeights.EQUAL, "a b", "a c").isSimilar());
        assertEquals(Verdict.EQUAL, compare(3, 1, TokenWeights.EQUAL, "a b", "a b"));
        assertEquals(1, compare(3, 1, TokenWeights.EQUAL, "A  b", "a B").similarity(), 1e-9);
    }

    @Test
    void testTextsWithoutWordsAreEqualOrNotSimilar() {
        assertEquals(1, compare(3, 0, TokenWeights.EQUAL, " ", "  ").similarity());
        assertEquals(0, compare(3, 0, TokenWeights.EQUAL, " ", "a").similarity());
        assertEquals(0, compare(3, 0, token -> 0, "a b c", "a b d").similarity());
    }

    @Test
    void testMemoryIsAskedForBeforeItIsTaken() {
        String text = "word ".repeat(10) + text(new Random(seed.value()), 5000);
        Verification verification = new Verification("text", Measure.COSINE, 3, 0, null);
        AtomicLong taken = new AtomicLong();
        TextComparison comparison =
                new TextComparison(verification, WORDS, TokenWeights.EQUAL, text, taken::addAndGet, () -> {});
        assertTrue(taken.get() >= 16 * 5000L, taken + " bytes");
        assertThrows(
                IllegalStateException.class,
                () -> comparison.compare(
                        text + " x",
                        bytes -> {
                            throw new IllegalStateException();
                        },
                        () -> {}));
    }
}
