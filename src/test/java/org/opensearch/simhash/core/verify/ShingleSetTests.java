/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.fingerprint.StandardWordAnalyzer;

/** Sets say of two texts what a comparison of the texts says. */
class ShingleSetTests {

    private static final List<Analyzer> ANALYZERS = List.of(new WhitespaceAnalyzer(), new StandardWordAnalyzer());
    private static final List<String> WORDS =
            List.of("one", "Two", "three", "ภาษา", "ไทย", "日本語", "中文", "42", "İzmir", "한국");

    @ParameterizedTest
    @EnumSource(names = {"JACCARD", "CONTAINMENT"})
    void testVerdictsAreThoseOfTheTexts(Measure measure) {
        int similar = 0;
        int rounds = Rounds.of(600, 10_000);
        for (int seed = 0; seed < rounds; seed++) {
            Random random = new Random(seed);
            List<String> words = words(random, 1 + random.nextInt(seed % 100 == 0 ? 5_000 : 700));
            PreparedText a = text(random, words);
            PreparedText b =
                    text(random, random.nextInt(3) > 0 ? edited(random, words) : words(random, random.nextInt(60)));
            var verification = new Verification(null, measure, 1 + random.nextInt(4), random.nextInt(11) / 10.0, null);
            AtomicLong memory = new AtomicLong();
            ShingleSet ofA = ShingleSet.of(verification, a, memory::addAndGet, () -> {});
            ShingleSet ofB = ShingleSet.of(verification, b, memory::addAndGet, () -> {});
            assertEquals((ofA == null ? 0 : ofA.bytes()) + (ofB == null ? 0 : ofB.bytes()), memory.get());
            if (ofA == null || ofB == null || a.isAnalysedLike(b) == false) {
                continue;
            }
            try (var comparisons = new TextComparisons(verification, a, bytes -> {}, () -> {})) {
                Verdict verdict = comparisons.compare(b);
                assertEquals(verdict, ofA.compare(ofB, verification), measure + ", seed " + seed);
                assertEquals(verdict, ofB.compare(ofA, verification), measure + ", seed " + seed);
                similar += verdict.isSimilar() && verdict.similarity() < 1 ? 1 : 0;
            }
        }
        assertTrue(similar > rounds / 30, "similar " + similar);
    }

    @Test
    void testATextWithoutTokensHasNoSet() {
        var verification = new Verification(null, Measure.JACCARD, 3, 0.5, null);
        PreparedText blank = new PreparedText("- !", ANALYZERS.getLast(), null, TokenWeights.EQUAL, null);
        assertNull(ShingleSet.of(verification, blank, bytes -> {}, () -> {}));
    }

    @Test
    void testSetsDoNotSufficeForCharacters() {
        assertTrue(ShingleSet.suffice(new Verification(null, Measure.CONTAINMENT, 3, 0.5, null)));
        assertFalse(ShingleSet.suffice(new Verification(null, Measure.LCS, 3, 0.5, null)));
        assertFalse(ShingleSet.suffice(new Verification(null, Measure.COSINE, 3, 0.5, null)));
        var strict = new StrictCharacters("[0-9]");
        assertFalse(ShingleSet.suffice(new Verification(null, Measure.JACCARD, 3, 0.5, strict)));
        var stripped =
                new Verification(null, Measure.JACCARD, 3, 0.5, null).withStrip(List.of("12-0123456789abcdef01234567"));
        assertFalse(ShingleSet.suffice(stripped));
    }

    private static PreparedText text(Random random, List<String> words) {
        Analyzer analyzer = ANALYZERS.get(random.nextInt(10) == 0 ? 0 : 1);
        return new PreparedText(String.join(" ", words), analyzer, null, TokenWeights.EQUAL, null);
    }

    private static List<String> words(Random random, int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(WORDS.get(random.nextInt(WORDS.size())) + (random.nextBoolean() ? "" : random.nextInt(30)));
        }
        return words;
    }

    private static List<String> edited(Random random, List<String> words) {
        List<String> edited = new ArrayList<>(words);
        for (int i = random.nextInt(3); i >= 0; i--) {
            edited.set(random.nextInt(edited.size()), words(random, 1).getFirst());
        }
        return edited;
    }
}
