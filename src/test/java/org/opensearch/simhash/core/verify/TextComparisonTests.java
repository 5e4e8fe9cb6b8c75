/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule of a question bank, and what holds for every measure. */
class TextComparisonTests {

    /** Bytes per character, for what becomes of it without case and marks. */
    private static final long FOLDED = 14;

    private static final Analyzer ANALYZER = new StandardAnalyzer();
    private static final String KEY = "[0-9A-Za-z+\\-*/=]";

    @ParameterizedTest
    @EnumSource(
            value = Measure.class,
            names = {"JACCARD", "CONTAINMENT"})
    void testPreparingALongTextCanBeCancelled(Measure measure) {
        Verification verification = new Verification("text", measure, 3, 0.8, null);
        assertThrows(
                CancellationException.class,
                () -> new TextComparison(
                        verification, ANALYZER, TokenWeights.EQUAL, "word ".repeat(10_000), bytes -> {}, () -> {
                            throw new CancellationException();
                        }));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testQuestionsThatDifferInWhatIsAskedAreNotDuplicates(Measure measure) {
        assertSame(Verdict.STRICT_CHARACTERS_DIFFER, byRule(measure, "A比B大10", "B比A小10"));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testQuestionsThatDifferInANameAreDuplicates(Measure measure) {
        assertEquals(new Verdict(Verdict.Outcome.SIMILAR, 0.8), byRule(measure, "小红买10本书", "小明买10本书"));
    }

    @Test
    void testQuestionsThatDifferInAParticleAreDuplicates() {
        String question = "今天空气温度为10度";
        String other = "今天的空气温度为10度";
        assertEquals(8 / 9.0, byRule(Measure.LEVENSHTEIN, question, other).similarity());
        assertEquals(16 / 17.0, byRule(Measure.LCS, question, other).similarity());
    }

    @Test
    void testLcsDecidesAsTheQuestionBankDoes() throws IOException {
        TreeMap<String, Integer> wrong = new TreeMap<>();
        List<String> lines = questionBank();
        for (String line : lines) {
            String[] columns = Normalizer.normalize(line, Normalizer.Form.NFKC).split("\t", -1);
            boolean similar = byRule(Measure.LCS, columns[2], columns[3]).isSimilar();
            if (similar != columns[1].equals("duplicate")) {
                wrong.merge(columns[0], 1, Integer::sum);
            }
        }
        assertEquals(65, lines.size());
        assertEquals(new TreeMap<>(), wrong);
    }

    @ParameterizedTest
    @EnumSource
    void testEqualTextsAreSimilarAndForeignOnesAreNot(Measure measure) {
        for (double minSimilarity : new double[] {0, 0.8, 1}) {
            String text = "The quick brown fox jumps over the lazy dog";
            assertEquals(1, compare(measure, minSimilarity, null, text, text).similarity());
        }
        assertEquals(0, compare(measure, 0, null, "aa bb cc", "xx").similarity());
        assertFalse(compare(measure, 0.5, null, "aa bb cc", "xx").isSimilar());
    }

    @ParameterizedTest
    @EnumSource
    void testTextsOfStrictCharactersOnlyAreComparedByThem(Measure measure) {
        assertEquals(1, compare(measure, 0.8, KEY, "1 + 2", "1+2").similarity());
        assertSame(Verdict.STRICT_CHARACTERS_DIFFER, compare(measure, 0, KEY, "1+2", "2+1"));
        assertSame(Verdict.STRICT_CHARACTERS_DIFFER, compare(measure, 0, KEY, "", "1"));
    }

    @ParameterizedTest
    @EnumSource
    void testThreadsMayShareAComparison(Measure measure) {
        Random random = new Random(3);
        String text = RandomText.random(random, 2000, 30);
        List<String> others = Stream.generate(() -> RandomText.edit(random, text, 200))
                .limit(64)
                .toList();
        TextComparison shared = new TextComparison(
                new Verification("text", measure, 1, 0, null),
                ANALYZER,
                TokenWeights.EQUAL,
                text,
                bytes -> {},
                () -> {});
        List<Verdict> inTurn = others.stream()
                .map(other -> shared.compare(other, bytes -> {}, () -> {}))
                .toList();
        assertEquals(
                inTurn,
                others.parallelStream()
                        .map(other -> shared.compare(other, bytes -> {}, () -> {}))
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(names = "FACTS", mode = EnumSource.Mode.EXCLUDE)
    void testWhatIsTakenIsToldAsItGrows(Measure measure) {
        Verification verification = new Verification("text", measure, 3, 0, null);
        String few = "one two three four ".repeat(20_000);
        AtomicLong taken = new AtomicLong();
        TextComparison comparison =
                new TextComparison(verification, ANALYZER, TokenWeights.EQUAL, few, taken::addAndGet, () -> {});
        // No more than 16 shingles; code points of one page.
        long alphabet = Integer.BYTES * ((Character.MAX_CODE_POINT >> 8) + 1 + 256L);
        // The cosine counts each shingle, 80,000 of them in room for a power of two.
        long shingles = measure == Measure.COSINE ? 16L * ((1 << 17) - 64) : 0;
        assertEquals(measure.comparesShingles() ? shingles : 25L * few.length() - 25 + alphabet, taken.get());
        taken.set(0);
        new TextComparison(
                verification, ANALYZER, TokenWeights.EQUAL, few.toUpperCase(Locale.ROOT), taken::addAndGet, () -> {});
        assertEquals(
                measure.comparesShingles() ? shingles : (25L + FOLDED) * few.length() - 25 + alphabet, taken.get());
        String many = IntStream.range(0, 20_000).mapToObj(Integer::toString).collect(Collectors.joining(" "));
        taken.set(0);
        comparison.compare(many, taken::addAndGet, () -> {});
        long all = measure.comparesShingles() ? 16L * 20_000 : 25L * many.length();
        long told = taken.get();
        assertTrue(measure == Measure.CONTAINMENT ? told < 1000 : told >= all && told <= 3 * all, "told " + told);
        LongConsumer none = bytes -> {
            throw new CancellationException("no room");
        };
        assertThrows(CancellationException.class, () -> comparison.compare(many, none, () -> {}));
        assertThrows(
                CancellationException.class,
                () -> new TextComparison(verification, ANALYZER, TokenWeights.EQUAL, many, none, () -> {}));
    }

    @Test
    void testTextsWithoutTokensArePaidFor() {
        Verification verification = new Verification("text", Measure.JACCARD, 3, 0, null);
        TextComparison comparison = new TextComparison(
                verification, ANALYZER, TokenWeights.EQUAL, "?!".repeat(1000), bytes -> {}, () -> {});
        AtomicLong taken = new AtomicLong();
        assertEquals(
                0,
                comparison
                        .compare("!?".repeat(1000), taken::addAndGet, () -> {})
                        .similarity());
        assertTrue(taken.get() >= 2 * 4 * 2 * 2000, "told " + taken);
    }

    private static List<String> questionBank() throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                TextComparisonTests.class.getResourceAsStream("question-bank.tsv"), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }

    private static Verdict byRule(Measure measure, String a, String b) {
        return compare(measure, 0.8, KEY, a, b);
    }

    private static Verdict compare(Measure measure, double minSimilarity, String strictCharacters, String a, String b) {
        Verification verification = Verification.of("text", measure.toString(), null, minSimilarity, strictCharacters);
        return new TextComparison(verification, ANALYZER, TokenWeights.EQUAL, a, bytes -> {}, () -> {})
                .compare(b, bytes -> {}, () -> {});
    }
}
