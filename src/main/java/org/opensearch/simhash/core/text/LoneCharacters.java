/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import java.util.BitSet;

/** The {@link NormalForm} of single characters, where it does not depend on their neighbours. */
public final class LoneCharacters {

    /** A noncharacter, which is no character's form. */
    public static final char LONG_WAY = Character.MAX_VALUE;

    /** {@link #LONG_WAY} where the form depends on neighbours or is not one character. 128 kB, made in about 50 ms. */
    private static final char[] BECOMES = askAll();

    private static final int FIRST_SYMBOL = 0x1F000;
    private static final int END_OF_SYMBOLS = 0x20000;

    /** Later characters that never change, such as emoji. */
    private static final BitSet SYMBOLS = symbols();

    private LoneCharacters() {}

    /** The form of a character, or {@link #LONG_WAY}. */
    public static char becomes(char c) {
        return BECOMES[c];
    }

    /** Whether a character never changes. */
    public static boolean isUnchanged(char c) {
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

    /** Excludes marks and Hangul letters, which compose, the zero-width space, and characters that this JDK does not know. */
    private static char ask(char c) {
        if (NormalForm.joins(c) || c == NormalForm.ZERO_WIDTH_SPACE) {
            return LONG_WAY;
        }
        String normalized = NormalForm.of(String.valueOf(c));
        return normalized.length() == 1 ? normalized.charAt(0) : LONG_WAY;
    }

    /** Normalises a text in place. Returns the changed characters; -1 if one depends on neighbours, and some may have changed. */
    public static int normalize(char[] text, int length) {
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
