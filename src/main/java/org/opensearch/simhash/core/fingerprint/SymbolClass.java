/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.opensearch.simhash.core.text.Folding;
import org.opensearch.simhash.core.text.NormalForm;
import org.opensearch.simhash.core.text.QuotationMarks;

/** The class of a character for {@link Symbols}. A table filled from the JDK's character types. */
final class SymbolClass {

    /** Punctuation, white space, and everything else that does not count. */
    static final byte NONE = 0;
    /** A letter or digit. Symbols are placed by counting these. */
    static final byte LETTER = 1;
    /** A letter whose capital form has several letters. */
    static final byte LETTERS = 2;

    static final byte SYMBOL = 3;
    /** A symbol if it is before a digit. */
    static final byte DASH = 4;
    /** A symbol if it is not on a letter. */
    static final byte MARK = 5;
    /** Depends on the next character. */
    static final byte HIGH_SURROGATE = 6;

    /** Includes the Arabic percent signs and the signs for per ten thousand. */
    private static final String PUNCTUATION = "#%&*@/\\\u2030\u2031\u066A\u0609\u060A";

    private static final String DASHES = "-\u05BE\u2010\u2011\u2012\u2013\u2212\uFE63\uFF0D";

    /** As closed ranges, ascending; unassigned characters are harmless. */
    private static final int[] OUTSIDE_WORDS = {
        0x0870, 0x089F, 0x08B5, 0x08B5, 0x08BE, 0x08D2, 0x0B55, 0x0B55, 0x0C3C, 0x0C3C, 0x0C5D, 0x0C5D, 0x0CDD, 0x0CDD,
        0x0CF3, 0x0CF3, 0x0D04, 0x0D04, 0x0D81, 0x0D81, 0x0ECE, 0x0ECE, 0x170D, 0x170D, 0x1715, 0x171F, 0x180F, 0x180F,
        0x1ABF, 0x1ACE, 0x1B4C, 0x1B4C, 0x1C89, 0x1C8A, 0x1DFA, 0x1DFA, 0x2C2F, 0x2C2F, 0x2C5F, 0x2C5F, 0x3006, 0x3006,
        0x31BB, 0x31BF, 0x4DB6, 0x4DBF, 0x9FF0, 0x9FFF, 0xA7C0, 0xA7C1, 0xA7C7, 0xA7F6, 0xA82C, 0xA82C, 0xAB68, 0xAB69,
        0x10570, 0x105F3, 0x10780, 0x107BA, 0x10D40, 0x10EFF, 0x10F70, 0x10FC4, 0x11070, 0x11075, 0x110C2, 0x110C2,
        0x11147, 0x11147, 0x111CE, 0x111CF, 0x1123F, 0x11241, 0x11380, 0x113E2, 0x11460, 0x11461, 0x116D0, 0x116E3,
        0x11740, 0x11746, 0x11900, 0x11959, 0x11AB0, 0x11ABF, 0x11BC0, 0x11BF9, 0x11F00, 0x11FB0, 0x12F90, 0x12FF0,
        0x1342F, 0x143FA, 0x16100, 0x16139, 0x16A70, 0x16AC9, 0x16D40, 0x16D79, 0x16FE4, 0x1AFFE, 0x1B11F, 0x1B132,
        0x1B155, 0x1B155, 0x1B170, 0x1B2FB, 0x1CCF0, 0x1CF46, 0x1DF00, 0x1DF2A, 0x1E030, 0x1E08F, 0x1E290, 0x1E2AE,
        0x1E4D0, 0x1E7FE, 0x2A6D7, 0x2A6DF, 0x2B735, 0x2B739, 0x2EBF0, 0x2EE5D, 0x30000, 0x323AF,
    };

    private static final byte[] CLASSES = new byte[Character.MAX_VALUE + 1];
    private static final byte[] LETTERS_OF = new byte[Character.MAX_VALUE + 1];

    static {
        for (int c = 0; c < CLASSES.length; c++) {
            CLASSES[c] = ask(c);
            LETTERS_OF[c] = CLASSES[c] == LETTERS ? (byte) lettersWithoutCase(c) : CLASSES[c] == LETTER ? (byte) 1 : 0;
        }
    }

    private SymbolClass() {}

    static byte of(char c) {
        return CLASSES[c];
    }

    /** The class of any code point. */
    static byte ask(int c) {
        if (c <= Character.MAX_VALUE && Character.isHighSurrogate((char) c)) {
            return HIGH_SURROGATE;
        }
        if (c <= Character.MAX_VALUE && DASHES.indexOf(c) >= 0) {
            return DASH;
        }
        if (c <= Character.MAX_VALUE && PUNCTUATION.indexOf(c) >= 0) {
            return SYMBOL;
        }
        return switch (Character.getType(c)) {
            case Character.MATH_SYMBOL,
                    Character.CURRENCY_SYMBOL,
                    Character.MODIFIER_SYMBOL,
                    Character.OTHER_SYMBOL,
                    Character.OTHER_NUMBER,
                    // Newer than this JDK, or private use: people may see it.
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE -> QuotationMarks.plain(c) == c ? SYMBOL : NONE;
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
                isOutsideWords(c) ? SYMBOL : MARK;
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.LETTER_NUMBER,
                    Character.DECIMAL_DIGIT_NUMBER ->
                isOutsideWords(c) ? SYMBOL : lettersWithoutCase(c) == 1 ? LETTER : LETTERS;
            default -> NONE;
        };
    }

    /** Number of letters and digits in the capital form. */
    static int letters(char c) {
        return LETTERS_OF[c];
    }

    private static int lettersWithoutCase(int c) {
        return (int) Folding.CASE
                .of(c)
                .codePoints()
                .filter(Character::isLetterOrDigit)
                .count();
    }

    static boolean isNumber(int c) {
        int type = Character.getType(c);
        return type == Character.DECIMAL_DIGIT_NUMBER || type == Character.OTHER_NUMBER;
    }

    /** One code point for each kind of symbol; letters without case. */
    static int plain(int symbol) {
        return switch (symbol) {
            case 0x066A -> '%';
            case 0x0609 -> 0x2030;
            case 0x060A -> 0x2031;
            default -> Character.isLetter(symbol) ? Folding.CASE.of(symbol).codePointAt(0) : symbol;
        };
    }

    /**
     * Letters, digits and marks that Lucene's {@link StandardTokenizer} leaves out of all words: those newer than Unicode
     * 12.1, and scripts without word breaks (Tangut, Nushu). Written out, since asking the tokenizer takes a tenth of a second.
     */
    static boolean isOutsideWords(int c) {
        return NormalForm.isIn(OUTSIDE_WORDS, c);
    }
}
