/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

/**
 * The symbols of a normalised text, which analyzers drop and people see: Unicode {@code S*}, numbers that are no
 * digits, {@linkplain SymbolClass#isOutsideWords characters outside words}, {@code # % ‰ & * @ / \}, and any short dash before a digit. White space, a
 * currency sign or a decimal point may stand between dash and digit. The place of a symbol is the number of letters and
 * digits since the previous symbol, so white space, case and other punctuation do not count.
 */
final class Symbols {

    static final int NONE = 0;

    private static final char MINUS = '\u2212';

    /** Receives symbols in order. */
    interface Sink {
        /** @param letters letters and digits since the previous symbol or the beginning */
        void symbol(int codePoint, int letters);
    }

    private Symbols() {}

    static void find(char[] text, int length, Sink sink) {
        int letters = 0;
        for (int i = 0; i < length; i++) {
            byte itsClass = SymbolClass.of(text[i]);
            if (itsClass <= SymbolClass.LETTER) {
                letters += itsClass;
            } else if (itsClass == SymbolClass.LETTERS) {
                letters += SymbolClass.letters(text[i]);
            } else {
                int symbol = at(text, i, length);
                if (symbol != NONE) {
                    sink.symbol(symbol, letters);
                    letters = 0;
                }
                int c = Character.codePointAt(text, i, length);
                i += Character.charCount(c) - 1;
                letters += letters(c);
            }
        }
    }

    /** The symbol at index {@code i}, as digests have it; {@link #NONE} if there is none. */
    static int at(char[] text, int i, int length) {
        int c = Character.codePointAt(text, i, length);
        return switch (c <= Character.MAX_VALUE ? SymbolClass.of((char) c) : SymbolClass.ask(c)) {
            case SymbolClass.SYMBOL -> SymbolClass.plain(c);
            case SymbolClass.MARK -> isOnLetter(text, i) ? NONE : c;
            case SymbolClass.DASH -> isBeforeNumber(text, i + 1, length) ? '-' : c == MINUS ? MINUS : NONE;
            default -> NONE;
        };
    }

    /** Number of letters and digits of a supplementary character; 0 for other characters. */
    static int letters(int c) {
        return c > Character.MAX_VALUE && SymbolClass.ask(c) == SymbolClass.LETTER ? 1 : 0;
    }

    private static boolean isOnLetter(char[] text, int mark) {
        byte itsClass = SymbolClass.MARK;
        for (int i = mark; i > 0 && itsClass == SymbolClass.MARK; ) {
            int before = Character.codePointBefore(text, i, 0);
            i -= Character.charCount(before);
            itsClass = SymbolClass.ask(before);
        }
        return itsClass == SymbolClass.LETTER || itsClass == SymbolClass.LETTERS;
    }

    private static boolean isBeforeNumber(char[] text, int from, int length) {
        int i = skipSpace(text, from, length);
        if (i < length
                && (text[i] == '.' || text[i] == ',' || Character.getType(text[i]) == Character.CURRENCY_SYMBOL)) {
            i = skipSpace(text, i + 1, length);
        }
        return i < length && SymbolClass.isNumber(Character.codePointAt(text, i, length));
    }

    private static int skipSpace(char[] text, int from, int length) {
        int i = from;
        while (i < length && Character.isWhitespace(text[i])) {
            i++;
        }
        return i;
    }
}
