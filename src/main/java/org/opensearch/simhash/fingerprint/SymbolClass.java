/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/** The class of a character for {@link Symbols}. A table filled from the JDK's character types. */
final class SymbolClass {

    /** Punctuation, white space, and everything else that does not count. */
    static final byte NONE = 0;
    /** A letter or digit. Symbols are placed by counting these. */
    static final byte LETTER = 1;
    /** A letter whose capital form has several letters. */
    static final byte LETTERS = 2;
    /** A symbol. */
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
                CharactersOutsideWords.contains(c) ? SYMBOL : MARK;
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.LETTER_NUMBER,
                    Character.DECIMAL_DIGIT_NUMBER ->
                CharactersOutsideWords.contains(c) ? SYMBOL : lettersWithoutCase(c) == 1 ? LETTER : LETTERS;
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
}
