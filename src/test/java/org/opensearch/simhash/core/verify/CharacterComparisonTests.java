/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.text.Folding;

/** Levenshtein and LCS against the textbook matrix, at the limits of the band, and at sizes where the matrix is hopeless. */
class CharacterComparisonTests {

    private static final double[] THRESHOLDS = {0, 0.1, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99, 1};

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testAgreesWithTheWholeMatrixOnRandomTexts(Measure measure) {
        for (int seed = 0; seed < Rounds.of(120, 4_000); seed++) {
            Random random = new Random(seed);
            int alphabet = 1 + random.nextInt(6);
            String a = RandomText.random(random, random.nextInt(500), alphabet);
            String b = RandomText.random(random, random.nextInt(500), alphabet);
            assertAgrees(measure, a, b, random.nextDouble(), seed);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testAgreesWithTheWholeMatrixOnEditedTexts(Measure measure) {
        for (int seed = 0; seed < Rounds.of(120, 4_000); seed++) {
            Random random = new Random(seed);
            String a = RandomText.random(random, random.nextInt(1200), 1 + random.nextInt(60));
            String b = RandomText.edit(random, a, random.nextInt(1 + random.nextInt(300)));
            double threshold = THRESHOLDS[random.nextInt(THRESHOLDS.length)];
            assertAgrees(measure, a, b, threshold, seed);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testAgreesWithTheWholeMatrixWhenLongPassagesAreMovedOrMissing(Measure measure) {
        for (int seed = 0; seed < Rounds.of(20, 600); seed++) {
            Random random = new Random(seed);
            String a = RandomText.random(random, 1000 + random.nextInt(2000), 2 + random.nextInt(2000));
            int cut = random.nextInt(a.length());
            int length = random.nextInt(Math.min(700, a.length() - cut));
            String passage = a.substring(cut, cut + length);
            String without = a.substring(0, cut) + a.substring(cut + length);
            int paste = random.nextInt(without.length());
            String b =
                    random.nextBoolean() ? without : without.substring(0, paste) + passage + without.substring(paste);
            assertAgrees(measure, a, RandomText.edit(random, b, random.nextInt(20)), random.nextDouble(), seed);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testFindsTheExactSimilarityAtItsOwnThreshold(Measure measure) {
        for (int seed = 0; seed < Rounds.of(20, 600); seed++) {
            Random random = new Random(seed);
            String a = RandomText.random(random, 1 + random.nextInt(400), 4);
            String b = RandomText.edit(random, a, random.nextInt(100));
            double exact = NaiveSimilarity.of(measure, Folding.LETTERS.of(a), Folding.LETTERS.of(b));
            assertEquals(exact, compare(measure, exact, a, b).similarity(), "seed " + seed);
            if (exact < 1) {
                assertSame(Verdict.BELOW_MINIMUM, compare(measure, Math.nextUp(exact), a, b), "seed " + seed);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testEmptyAndBlankTexts(Measure measure) {
        assertEquals(1, compare(measure, 0.8, "", "").similarity());
        assertEquals(1, compare(measure, 0.8, "", " \n").similarity());
        assertEquals(0, compare(measure, 0, "", "a").similarity());
        assertEquals(0, compare(measure, 0, "a", "").similarity());
        assertSame(Verdict.BELOW_MINIMUM, compare(measure, 0.8, "", "a"));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testWhiteSpaceIsOneSpaceBetweenWordsAndNoneAtTheEnds(Measure measure) {
        assertEquals(
                1,
                compare(measure, 1, "one two\u00A0three", "\t one \r\n two\u3000three ")
                        .similarity());
        double withoutIt = measure == Measure.LEVENSHTEIN ? 6 / 7.0 : 12 / 13.0;
        assertEquals(withoutIt, compare(measure, 0, "one two", "onetwo").similarity());
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testASurrogatePairIsOneCharacter(Measure measure) {
        // 😀 and 😁 share their first half
        assertEquals(0.75, compare(measure, 0, "ab😀c", "ab😁c").similarity());
        assertEquals(0, compare(measure, 0, "😀", "😁").similarity());
        assertEquals(0.5, compare(measure, 0, "😀😁", "😀𠀀").similarity());
    }

    @Test
    void testAReplacedCharacterIsOneEditButTwoCharactersOutsideOfTheCommonSubsequence() {
        assertEquals(
                4 / 7.0, compare(Measure.LEVENSHTEIN, 0, "kitten", "sitting").similarity());
        assertEquals(8 / 13.0, compare(Measure.LCS, 0, "kitten", "sitting").similarity());
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testHundredThousandCharactersAreExact(Measure measure) {
        Random random = new Random(7);
        String a = RandomText.random(random, 100_000, 26);
        int[] replaced = a.codePoints().toArray();
        for (int i = 50; i < replaced.length; i += 100) {
            replaced[i] = '#'; // equals nothing: 1,000 replacements, in any alignment
        }
        String b = new String(replaced, 0, replaced.length);
        double expected = measure == Measure.LEVENSHTEIN ? 0.99 : 2 * 99_000 / 200_000.0;
        assertEquals(expected, compare(measure, 0.8, a, b).similarity());
        assertEquals(expected, compare(measure, 0, a, b).similarity());
        assertSame(Verdict.BELOW_MINIMUM, compare(measure, 0.991, a, b));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testTextsThatWouldTakeTooLongAreNotVerified(Measure measure) {
        Random random = new Random(8);
        String a = RandomText.random(random, CharacterComparison.MAX_LENGTH, 4);
        String b = RandomText.random(random, CharacterComparison.MAX_LENGTH, 4);
        assertSame(Verdict.TOO_LARGE, compare(measure, 0.1, a, b));
        assertSame(Verdict.TOO_LARGE, compare(measure, 0, a, b));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testTextsOverTheLimitAreVerifiedOnlyWhereTheLengthDecides(Measure measure) {
        String large = "ab".repeat(CharacterComparison.MAX_LENGTH / 2) + "a";
        assertSame(Verdict.TOO_LARGE, compare(measure, 0.8, large, large + "a"));
        assertSame(Verdict.TOO_LARGE, compare(measure, 0.8, large + "a", large));
        assertSame(Verdict.BELOW_MINIMUM, compare(measure, 0.8, large, large.substring(0, large.length() / 2)));
        assertSame(Verdict.BELOW_MINIMUM, compare(measure, 0.8, "ab", large));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEVENSHTEIN", "LCS"})
    void testALongComparisonCanBeCancelled(Measure measure) {
        Random random = new Random(9);
        CharacterComparison comparison =
                new CharacterComparison(verification(measure, 0), RandomText.random(random, 50_000, 4), bytes -> {});
        String other = RandomText.random(random, 50_000, 4);
        Runnable cancelled = () -> {
            throw new CancellationException();
        };
        assertThrows(CancellationException.class, () -> comparison.compare(other, bytes -> {}, cancelled));
    }

    /** So that no text is copied whose length says already that it is too long. */
    @Test
    void testCodePointsAreCountedAsTheyAreCollapsed() {
        Random random = new Random(10);
        String some = "ab \n\t\u00A0\u3000\u4E16\uD83D\uDE00 ";
        for (int i = 0; i < 10_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(20); length > 0; length--) {
                text.appendCodePoint(some.codePointAt(random.nextInt(some.length())));
            }
            assertEquals(
                    CodePoints.collapsed(text.toString(), Integer.MAX_VALUE).length,
                    CodePoints.length(text.toString()),
                    text::toString);
        }
    }

    private static void assertAgrees(Measure measure, String a, String b, double threshold, int seed) {
        double exact = NaiveSimilarity.of(measure, Folding.LETTERS.of(a), Folding.LETTERS.of(b));
        String message = measure + ", seed " + seed + ", threshold " + threshold;
        assertEquals(exact, compare(measure, 0, a, b).similarity(), message);
        assertEquals(exact, compare(measure, 0, b, a).similarity(), message);
        assertTrue(0 <= exact && exact <= 1, message);
        Verdict verdict = compare(measure, threshold, a, b);
        if (exact >= threshold) {
            assertEquals(new Verdict(Verdict.Outcome.SIMILAR, exact), verdict, message);
        } else {
            assertSame(Verdict.BELOW_MINIMUM, verdict, message);
        }
    }

    private static Verdict compare(Measure measure, double minSimilarity, String a, String b) {
        return new CharacterComparison(verification(measure, minSimilarity), a, bytes -> {})
                .compare(b, bytes -> {}, () -> {});
    }

    private static Verification verification(Measure measure, double minSimilarity) {
        return new Verification("text", measure, 3, minSimilarity, null);
    }
}
