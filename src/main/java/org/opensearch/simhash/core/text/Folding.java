/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;

/**
 * Makes spellings equal that count as one, by single characters of {@link NormalForm}. Tables of 128 kB hold the results.
 *
 * <p>Idempotent, linear, immutable and thread-safe.
 */
public final class Folding {

    /** Most characters that one character folds to: {@code ffi}. */
    public static final int MAX_EXPANSION = 3;

    /** In UTF-8. */
    private static final int HALF_OF_SURROGATES = 2;

    /** A noncharacter: the character folds to several. */
    private static final char SEVERAL = Character.MAX_VALUE;

    private static final char DOT_ABOVE = '\u0307';

    /** Variants of Arabic letters that differ by no mark: alef wasla, yeh, kaf, heh, and signs inside numbers. */
    private static final String ARABIC_VARIANTS =
            "\u0671\u0672\u0673\u0675\u0649\u06CC\u06D2\u06A9\u06AA\u0629\u06C0\u06C1\u06C3\u066B\u066C";

    private static final String ARABIC_PLAIN =
            "\u0627\u0627\u0627\u0627\u064A\u064A\u064A\u0643\u0643\u0647\u0647\u0647\u0647.,";

    /** Most later characters do not fold: ideographs, and Hangul, which NFD would decompose. */
    private static final int FIRST_IDEOGRAPH = 0x2E80;

    private static final int LAST_IDEOGRAPH = 0xA4CF;
    private static final int FIRST_HANGUL = 0xAC00;
    private static final int LAST_HANGUL = 0xD7FF;

    /** Closed ranges, ascending. */
    private static final int[] OPTIONAL_MARKS = {
        0x0300, 0x036F, 0x0483, 0x0487, 0x0591, 0x05BD, 0x05BF, 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7,
        0x05C7, 0x0610, 0x061A, 0x064B, 0x065F, 0x0670, 0x0670, 0x06D6, 0x06DC, 0x06DF, 0x06E8, 0x06EA, 0x06ED,
        0x0711, 0x0711, 0x0730, 0x074A, 0x0816, 0x082D, 0x0859, 0x085B, 0x0898, 0x089F, 0x08C9, 0x08E1, 0x08E3,
        0x08FF, 0x1AB0, 0x1AFF, 0x1DC0, 0x1DFF, 0x20D0, 0x20F0, 0xFE20, 0xFE2F,
    };

    /**
     * Folds case: texts that are equal in capitals are equal. So final sigma is sigma, {@code ß} is {@code ss}, and
     * dotted and dotless i are one letter.
     */
    public static final Folding CASE = new Folding(Folding::withoutCase);

    /**
     * Folds case, optional marks and letter variants: Latin, Greek and Cyrillic diacritics, letters with a stroke and ligatures as in
     * Lucene's {@link ASCIIFoldingFilter}, Arabic vowel signs, forms of alef, yeh, kaf, heh and hamza carriers, Hebrew and Syriac points,
     * digits of all scripts. Vowel signs of Indic and South-East Asian scripts, sound marks of kana and parts of Hangul stay, since they
     * are not optional. {@code й} becomes {@code и}, since writers who leave out marks leave out this one.
     */
    public static final Folding LETTERS = new Folding(Folding::withoutMarks);

    private final char[] becomes = new char[Character.MAX_VALUE + 1];
    private final Map<Character, String> several = new HashMap<>();

    private Folding(IntFunction<String> fold) {
        for (int c = 0; c < becomes.length; c++) {
            String folded = isLeftAlone(c) ? Character.toString(c) : fold.apply(c);
            boolean dependsOnNeighbour = c == DOT_ABOVE || Character.isHighSurrogate((char) c);
            if (folded.length() == 1 && dependsOnNeighbour == false && c != SEVERAL) {
                becomes[c] = folded.charAt(0);
            } else {
                becomes[c] = SEVERAL;
                several.put((char) c, folded);
            }
        }
    }

    /** Makes the tables in about 100 ms, when a node starts. */
    public static void load() {
        CASE.changes("");
        LETTERS.changes("");
    }

    public boolean changes(String text) {
        int unchanged = 0;
        while (unchanged < text.length() && becomes[text.charAt(unchanged)] == text.charAt(unchanged)) {
            unchanged++;
        }
        return unchanged < text.length();
    }

    public boolean changes(char c) {
        return becomes[c] != c && Character.isHighSurrogate(c) == false;
    }

    /** UTF-8 length of a folded character or half of one. */
    public int utf8Length(char c) {
        char one = becomes[c];
        if (one != SEVERAL) {
            return utf8LengthOf(one);
        }
        return Character.isHighSurrogate(c)
                ? HALF_OF_SURROGATES
                : several.get(c).chars().map(each -> utf8LengthOf((char) each)).sum();
    }

    private static int utf8LengthOf(char c) {
        if (Character.isSurrogate(c)) {
            return HALF_OF_SURROGATES;
        }
        return c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }

    public String of(String text) {
        if (changes(text) == false) {
            return text;
        }
        char[] folded = new char[Math.multiplyExact(MAX_EXPANSION, text.length())];
        return new String(folded, 0, fold(text.toCharArray(), 0, text.length(), folded));
    }

    public String of(int codePoint) {
        if (codePoint > Character.MAX_VALUE) {
            return Character.toString(withoutCaseOfOne(codePoint));
        }
        char one = becomes[codePoint];
        return one == SEVERAL ? several.get((char) codePoint) : String.valueOf(one);
    }

    /** Returns the number of characters written; the target has room for {@link #MAX_EXPANSION} times as many. */
    public int fold(char[] source, int offset, int length, char[] target) {
        int end = 0;
        for (int i = offset; i < offset + length; i++) {
            char c = source[i];
            char one = becomes[c];
            if (one != SEVERAL) {
                target[end++] = one;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < offset + length
                    && Character.isLowSurrogate(source[i + 1])) {
                end += Character.toChars(withoutCaseOfOne(Character.toCodePoint(c, source[++i])), target, end);
            } else if (c != DOT_ABOVE || end == 0 || target[end - 1] != 'i') {
                // The lowercase of a dotted capital may be two characters.
                end = append(several.get(c), target, end);
            }
        }
        return end;
    }

    private static int append(String folded, char[] target, int end) {
        folded.getChars(0, folded.length(), target, end);
        return end + folded.length();
    }

    private static boolean isLeftAlone(int c) {
        return (c >= FIRST_IDEOGRAPH && c <= LAST_IDEOGRAPH) || (c >= FIRST_HANGUL && c <= LAST_HANGUL);
    }

    /** Outside the first plane, letters have no optional marks and one capital each. */
    private static int withoutCaseOfOne(int c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }

    /** Twice: the lowercase of a capital {@code ß} has other capitals. */
    private static String withoutCase(int c) {
        return lowercaseOfCapitals(lowercaseOfCapitals(Character.toString(c)));
    }

    /** Character by character: {@code String.toLowerCase} looks at the neighbours of a sigma. */
    private static String lowercaseOfCapitals(String text) {
        StringBuilder lower = new StringBuilder();
        Normalizer.normalize(text.toUpperCase(Locale.ROOT), Normalizer.Form.NFC)
                .codePoints()
                .map(Character::toLowerCase)
                .forEach(lower::appendCodePoint);
        return lower.toString();
    }

    /** Marks go first, as the capital of an iota subscript is a letter; strokes last, as such letters have other capitals. */
    private static String withoutMarks(int c) {
        StringBuilder letters = new StringBuilder();
        withoutOptionalMarks(c)
                .codePoints()
                .mapToObj(Folding::withoutCase)
                .flatMapToInt(String::codePoints)
                .mapToObj(Folding::withoutOptionalMarks)
                .flatMapToInt(String::codePoints)
                .mapToObj(Folding::plainLetter)
                .forEach(letters::append);
        return letters.toString();
    }

    private static String withoutOptionalMarks(int c) {
        int variant = ARABIC_VARIANTS.indexOf(c);
        if (variant >= 0) {
            return ARABIC_PLAIN.substring(variant, variant + 1);
        }
        String letter = Character.toString(c);
        String parts = Normalizer.normalize(letter, Normalizer.Form.NFD);
        if (parts.codePoints().noneMatch(Folding::isOptionalMark)) {
            return letter;
        }
        StringBuilder kept = new StringBuilder();
        parts.codePoints().filter(part -> isOptionalMark(part) == false).forEach(kept::appendCodePoint);
        return Normalizer.normalize(kept, Normalizer.Form.NFC);
    }

    private static boolean isOptionalMark(int c) {
        return NormalForm.isIn(OPTIONAL_MARKS, c);
    }

    private static String plainLetter(int c) {
        if (Character.getType(c) == Character.DECIMAL_DIGIT_NUMBER) {
            return Integer.toString(Character.digit(c, 10));
        }
        String letter = Character.toString(c);
        if (isLatinOfAlphabets(c) == false) {
            return letter;
        }
        char[] ascii = new char[4 * letter.length()];
        int length = ASCIIFoldingFilter.foldToASCII(letter.toCharArray(), 0, ascii, 0, letter.length());
        return new String(ascii, 0, length).toLowerCase(Locale.ROOT);
    }

    /** Excludes phonetic letters, the schwa (which nobody writes as {@code a}) and superscripts. */
    private static boolean isLatinOfAlphabets(int c) {
        return (c >= 0xC0 && c <= 0x24F && c != 0x18F && c != 0x1DD && Character.isLetter(c))
                || (c >= 0x1E00 && c <= 0x1EFF)
                || (c >= 0xA722 && c <= 0xA787);
    }
}
