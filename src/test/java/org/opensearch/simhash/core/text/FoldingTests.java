/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoldingTests {

    private static final char IOTA_BELOW = '\u0345';

    @ParameterizedTest
    @CsvSource({
        "Arabic vowel signs, \u0643\u064E\u062A\u064E\u0628\u064E, \u0643\u062A\u0628",
        "hamza and alef, \u0623\u0625\u0622\u0671\u0624\u0626, \u0627\u0627\u0627\u0627\u0648\u064A",
        "Persian yeh and kaf, \u06CC\u06A9, \u064A\u0643",
        "alef maksura and teh marbuta, \u0649\u0629, \u064A\u0647",
        "heh with yeh above, \u06C0, \u0647",
        "Hebrew points, \u05E9\u05C1\u05B8\u05DC\u05D5\u05B9\u05DD, \u05E9\u05DC\u05D5\u05DD",
        "Cyrillic, \u0401\u0451\u0439\u0457\u045E, \u0435\u0435\u0438\u0456\u0443",
        "Greek, \u0386\u03CA\u03CD\u1F00\u1FC7, \u03B1\u03B9\u03C5\u03B1\u03B7",
        "final sigma, \u03BF\u03B4\u03CC\u03C2, \u03BF\u03B4\u03BF\u03C3",
        "Latin, \u00C9\u010D\u1EA7\u015F\u00F1, ecasn",
        "sharp s, Stra\u00DFe \u1E9E, strasse ss",
        "letters with a stroke, \u0142\u00F8\u0111\u0127\u0167, lodht",
        "ligatures and runes, \u00E6\u0153\u00FE\u00F0\u014B, aeoethdn",
        "dotted and dotless i, \u0130\u0131Ii, iiii",
        "a mark by itself, e\u0301, e",
        "a dot of its own, i\u0307, i",
        "Thai, \u0E40\u0E21\u0E37\u0E2D\u0E07, \u0E40\u0E21\u0E37\u0E2D\u0E07",
        "Devanagari, \u0939\u093F\u0928\u094D\u0926\u0940, \u0939\u093F\u0928\u094D\u0926\u0940",
        "Devanagari nukta, \u0915\u093C, \u0915\u093C",
        "kana, \u304C\u30D1, \u304C\u30D1",
        "Hangul, \uD55C\uAD6D, \uD55C\uAD6D",
        "digits, \u0663\u0662\u0660 \u06F3\u06F2\u06F0 \u0969\u0E53, 320 320 33",
        "signs inside of numbers, \u0661\u066C\u0665\u0660\u0660\u066B\u0665, '1,500.5'",
        "schwa, \u0259, \u0259",
        "superscripts, \u00B2\u2082\u00AA, \u00B2\u2082\u00AA",
        "outside of the first plane, \uD801\uDC00, \uD801\uDC28",
    })
    void testOptionalMarksAndVariantsAreLeftOut(String what, String text, String expected) {
        assertEquals(expected, Folding.LETTERS.of(TextNormalizer.normalize(text)), what);
    }

    /** Texts that are equal in capitals are equal without case, of any letters. */
    @Test
    void testCaseIsThatOfCapitals() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String normalized = TextNormalizer.normalize("a" + Character.toString(c));
            String capitals = TextNormalizer.normalize(normalized.toUpperCase(Locale.ROOT));
            String name = "U+" + Integer.toHexString(c);
            assertEquals(Folding.CASE.of(capitals), Folding.CASE.of(normalized), name);
            String lower = TextNormalizer.normalize(normalized.toLowerCase(Locale.ROOT));
            assertEquals(Folding.CASE.of(lower), Folding.CASE.of(normalized), name);
        }
        assertNotEquals(Folding.CASE.of("caf\u00E9"), Folding.CASE.of("cafe"));
        assertEquals(Folding.CASE.of("STRASSE"), Folding.CASE.of("stra\u00DFe"));
        assertEquals(Folding.CASE.of("\u0130stanbul"), Folding.CASE.of("i\u0307stanbul"));
        assertEquals(Folding.CASE.of("ISPARTA"), Folding.CASE.of("\u0131sparta"));
    }

    @Test
    void testFoldingTwiceChangesNothing() {
        for (Folding folding : List.of(Folding.CASE, Folding.LETTERS)) {
            for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
                String once = folding.of(Character.toString(c));
                assertTrue(once.length() <= Folding.MAX_EXPANSION, "U+" + Integer.toHexString(c));
                assertEquals(once, folding.of(once), "U+" + Integer.toHexString(c));
            }
        }
    }

    /** What is equal without case is equal folded. */
    @Test
    void testLettersLeavesOutCase() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String letter = TextNormalizer.normalize(Character.toString(c));
            if (Normalizer.normalize(letter, Normalizer.Form.NFD).indexOf(IOTA_BELOW) >= 0) {
                continue; // a letter of its own in capitals
            }
            assertEquals(
                    Folding.LETTERS.of(letter),
                    Folding.LETTERS.of(Folding.CASE.of(letter)),
                    "U+" + Integer.toHexString(c));
        }
    }

    @Test
    void testATextWithNothingToFoldStays() {
        String text = "plain words, \u4E16\u754C";
        assertSame(text, Folding.LETTERS.of(text));
    }
}
