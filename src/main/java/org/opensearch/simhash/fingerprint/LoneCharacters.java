/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.BitSet;

/** The {@link NormalForm} of single characters that does not depend on their neighbours, as a table. */
final class LoneCharacters {

    /** A noncharacter; no character has it as its form. */
    static final char LONG_WAY = Character.MAX_VALUE;

    /**
     * The form of each character, mostly itself. {@link #LONG_WAY} where it depends on neighbours or is not one
     * character. 128 kB, made in about 50 ms.
     */
    private static final char[] BECOMES = askAll();

    private static final int FIRST_SYMBOL = 0x1F000;
    private static final int END_OF_SYMBOLS = 0x20000;

    /** Characters from {@link #FIRST_SYMBOL} on (emoji) that never change. */
    private static final BitSet SYMBOLS = symbols();

    private LoneCharacters() {}

    /** The form of a character, or {@link #LONG_WAY}. */
    static char becomes(char c) {
        return BECOMES[c];
    }

    /** Whether a character never changes, whatever its neighbours. */
    static boolean isUnchanged(char c) {
        return BECOMES[c] == c;
    }

    private static char[] askAll() {
        char[] becomes = new char[Character.MAX_VALUE + 1];
        for (int c = 0; c < becomes.length; c++) {
            becomes[c] = ask((char) c);
        }
        for (int c = 0; c < becomes.length; c++) {
            // Its form is a mark or a Hangul letter.
            if (becomes[becomes[c]] != becomes[c]) {
                becomes[c] = LONG_WAY;
            }
        }
        return becomes;
    }

    /** Excludes marks and Hangul letters, which compose with neighbours, and characters that this JDK does not know. */
    private static char ask(char c) {
        if (NormalForm.joins(c)) {
            return LONG_WAY;
        }
        String normalized = NormalForm.of(String.valueOf(c));
        return normalized.length() == 1 ? normalized.charAt(0) : LONG_WAY;
    }

    /**
     * Normalises a text in place, if the form of every character is one character and independent of its neighbours.
     *
     * @return number of changed characters; -1 if the text does not qualify, and some may have changed
     */
    static int normalize(char[] text, int length) {
        int changed = 0;
        for (int i = 0; i < length; i++) {
            char c = text[i];
            if (isUnchanged(c)) {
                continue;
            }
            if (BECOMES[c] != LONG_WAY) {
                text[i] = BECOMES[c];
                changed++;
            } else if (isSymbol(Character.codePointAt(text, i, length))) {
                i++;
            } else {
                return -1;
            }
        }
        return changed;
    }

    private static boolean isSymbol(int c) {
        return c >= FIRST_SYMBOL && c < END_OF_SYMBOLS && SYMBOLS.get(c - FIRST_SYMBOL);
    }

    private static BitSet symbols() {
        BitSet symbols = new BitSet(END_OF_SYMBOLS - FIRST_SYMBOL);
        for (int c = FIRST_SYMBOL; c < END_OF_SYMBOLS; c++) {
            String symbol = Character.toString(c);
            boolean isUnchanged =
                    NormalForm.joins(c) == false && NormalForm.of(symbol).equals(symbol);
            symbols.set(c - FIRST_SYMBOL, isUnchanged);
        }
        return symbols;
    }
}
