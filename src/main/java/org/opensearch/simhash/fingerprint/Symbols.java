/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/**
 * The symbols of a normalised text, which no analyzer keeps and people see: Unicode {@code S*}, numbers that are no digits,
 * {@code # % ‰ & * @ / \}, and a hyphen or minus before a digit, whichever short dash it is written with. White space, and a sign of a
 * currency or decimals, may stand between dash and digit. A symbol's place is the number of letters and digits since the symbol
 * before it, so that white space, case and other punctuation do not count.
 */
final class Symbols {

    private static final char MINUS = '\u2212';

    /** Takes one symbol after the other. */
    interface Sink {
        /** @param letters letters and digits since the last symbol, or since the beginning */
        void symbol(int codePoint, int letters);
    }

    private Symbols() {}

    /** Whether a text may have any. */
    static boolean mayBeIn(char[] text, int length) {
        for (int i = 0; i < length; i++) {
            if (SymbolClass.needsDecision(text[i])) {
                return true;
            }
        }
        return false;
    }

    static void find(char[] text, int length, Sink sink) {
        int letters = 0;
        for (int i = 0; i < length; i++) {
            byte itsClass = SymbolClass.of(text[i]);
            if (itsClass <= SymbolClass.LETTER) {
                letters += itsClass;
                continue;
            }
            if (itsClass == SymbolClass.LETTERS) {
                letters += SymbolClass.lettersWithoutCase(text[i]);
                continue;
            }
            int c = text[i];
            if (itsClass == SymbolClass.HIGH_SURROGATE && i + 1 < length && Character.isLowSurrogate(text[i + 1])) {
                c = Character.toCodePoint(text[i], text[++i]);
                itsClass = SymbolClass.ask(c);
                letters += itsClass == SymbolClass.LETTER ? 1 : 0;
            }
            int symbol = switch (itsClass) {
                case SymbolClass.SYMBOL -> SymbolClass.plain(c);
                case SymbolClass.MARK -> isOnLetter(text, i + 1 - Character.charCount(c)) ? 0 : c;
                case SymbolClass.DASH -> isBeforeNumber(text, i + 1, length) ? '-' : c == MINUS ? MINUS : 0;
                default -> 0;
            };
            if (symbol != 0) {
                sink.symbol(symbol, letters);
                letters = 0;
            }
        }
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
