/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.BitSet;

/** What becomes of characters in the {@link NormalForm} of a text, whatever stands beside them: asked once, and looked up since. */
final class LoneCharacters {

    /** A noncharacter, which stays what it is: no other becomes it. */
    static final char LONG_WAY = Character.MAX_VALUE;

    /**
     * What a character becomes whatever stands beside it, itself most of the time; {@link #LONG_WAY} where that depends on its
     * neighbours, or is not one character. 128 kB, made in some 50 ms.
     */
    private static final char[] BECOMES = askAll();

    private static final int FIRST_SYMBOL = 0x1F000;
    private static final int END_OF_SYMBOLS = 0x20000;

    /** From {@link #FIRST_SYMBOL} on, emoji and the like: those that stay what they are, whatever stands beside them. */
    private static final BitSet SYMBOLS = symbols();

    private LoneCharacters() {}

    /** What a character becomes, or {@link #LONG_WAY}. */
    static char becomes(char c) {
        return BECOMES[c];
    }

    /** Whether a character stays what it is, whatever stands beside it. */
    static boolean isUnchanged(char c) {
        return BECOMES[c] == c;
    }

    private static char[] askAll() {
        char[] becomes = new char[Character.MAX_VALUE + 1];
        for (int c = 0; c < becomes.length; c++) {
            becomes[c] = ask((char) c);
        }
        for (int c = 0; c < becomes.length; c++) {
            // What becomes a mark or a Hangul letter.
            if (becomes[becomes[c]] != becomes[c]) {
                becomes[c] = LONG_WAY;
            }
        }
        return becomes;
    }

    /** No marks and no Hangul letters: those compose with their neighbours. What this JDK does not know goes the long way. */
    private static char ask(char c) {
        if (NormalForm.joins(c)) {
            return LONG_WAY;
        }
        String normalized = NormalForm.of(String.valueOf(c));
        return normalized.length() == 1 ? normalized.charAt(0) : LONG_WAY;
    }

    /**
     * Normalises a text in place, if each of its characters becomes one character whatever stands beside it.
     *
     * @return how many changed; -1 if the text is not of this kind, and some may have changed
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
