/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.text.Normalizer;
import java.util.BitSet;
import java.util.function.LongConsumer;

/**
 * What every text goes through before analysis, so that texts which read alike are alike: Unicode NFKC (UAX #15: full-width
 * forms, ligatures, precomposed or combining accents), and characters without a width of their own taken out: control and
 * format characters, soft hyphens, byte order marks, variation selectors, Arabic tatweel, lone surrogates. Line and tab
 * controls stay; rarer separators become a space.
 *
 * <p>What is taken out is written out as ranges of characters. NFKC and the kinds of characters are asked of the JDK, as the cutting
 * into words and lower case are later: characters that are newer than its version of Unicode are read otherwise than by a newer
 * JDK. Idempotent. Linear in the length of the text, whatever it holds: runs of combining marks are cut after
 * {@value #MAX_COMBINING_MARKS}, as in UAX #15's stream-safe format, because canonical reordering is quadratic in the run.
 */
public final class TextNormalizer {

    static final int MAX_COMBINING_MARKS = 30;

    /** Closed ranges, ascending: Cf, default-ignorable code points and tatweel, of Unicode 16. */
    private static final int[] INVISIBLE = {
        0x00AD, 0x00AD, 0x034F, 0x034F, 0x0600, 0x0605, 0x061C, 0x061C, 0x0640, 0x0640, 0x06DD, 0x06DD, 0x070F, 0x070F,
        0x0890, 0x0891, 0x08E2, 0x08E2, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x200B, 0x200F, 0x202A, 0x202E,
        0x2060, 0x206F, 0x3164, 0x3164, 0xD800, 0xDFFF, 0xFE00, 0xFE0F, 0xFEFF, 0xFEFF, 0xFFA0, 0xFFA0, 0xFFF0, 0xFFFB,
        0x110BD, 0x110BD, 0x110CD, 0x110CD, 0x13430, 0x1343F, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0FFF,
    };

    /** Copied out of a text at once: a third of the time that single characters take. */
    private static final int CHUNK = 1024;

    /** A noncharacter, which stays what it is: no other becomes it. */
    private static final char LONG_WAY = Character.MAX_VALUE;

    /**
     * What a character becomes whatever stands beside it, itself most of the time; {@link #LONG_WAY} where that depends on its
     * neighbours, or is not one character. 128 kB, made in some 50 ms.
     */
    private static final char[] ALONE = alone();

    private static final int FIRST_SYMBOL = 0x1F000;
    private static final int END_OF_SYMBOLS = 0x20000;

    /** From {@link #FIRST_SYMBOL} on, emoji and the like: those that stay what they are, whatever stands beside them. */
    private static final BitSet SYMBOLS = symbols();

    private TextNormalizer() {}

    /** The normalised text; the same instance when there is nothing to do. */
    public static String normalize(String text) {
        return normalize(text, grown -> {});
    }

    /**
     * The normalised text; the same instance when there is nothing to do.
     *
     * @param growth is told by how many characters the text gets longer, before it does; a character may become 18
     */
    static String normalize(String text, LongConsumer growth) {
        int unchanged = unchangedUpTo(text);
        return unchanged == text.length() ? text : normalize(text, unchanged, growth);
    }

    /** What changes is taken out of the text in slices: the long way costs ten times as much a character. */
    private static String normalize(String text, int firstChange, LongConsumer growth) {
        StringBuilder normalized = new StringBuilder(text.length() + text.length() / 8);
        int done = 0;
        long room = normalized.capacity();
        for (int change = firstChange; change < text.length(); ) {
            int end = change;
            boolean alone = true;
            while (end < text.length() && isUnchanged(text.charAt(end)) == false) {
                alone &= ALONE[text.charAt(end)] != LONG_WAY;
                end++;
            }
            if (alone) {
                normalized.append(text, done, change);
                for (int i = change; i < end; i++) {
                    normalized.append(ALONE[text.charAt(i)]);
                }
            } else {
                // The character before may be what a mark composes with.
                int begin = Math.max(done, change - 1);
                normalized.append(text, done, begin);
                for (int next; begin < end; begin = next) {
                    next = endOfPiece(text, begin, end);
                    String piece = transform(text.substring(begin, next));
                    if (normalized.length() + piece.length() + text.length() - next > room) {
                        // The builder will double.
                        growth.accept(room);
                        room *= 2;
                    }
                    normalized.append(piece);
                }
            }
            done = end;
            change = end;
            while (change < text.length() && isUnchanged(text.charAt(change))) {
                change++;
            }
        }
        return normalized.append(text, done, text.length()).toString();
    }

    /** What is transformed at once is copied several times, so a long slice goes in pieces that do not depend on each other. */
    private static int endOfPiece(String text, int begin, int end) {
        int next = begin + CHUNK;
        while (next < end && isIndependent(text.charAt(next)) == false) {
            next++;
        }
        return Math.min(next, end);
    }

    /** Whether what comes before a character has no part in what becomes of it, nor of what follows it. */
    private static boolean isIndependent(char c) {
        if (joins(c)) {
            return false;
        }
        String normalized = transform(String.valueOf(c));
        return normalized.isEmpty() == false && joins(normalized.charAt(0)) == false;
    }

    /** Marks and Hangul letters compose with what comes before. What this JDK does not know may do so, too. */
    private static boolean joins(char c) {
        return Character.isDefined(c) == false || Character.isSurrogate(c) || isCountedInRun(c) || isHangulLetter(c);
    }

    /**
     * Normalises a text in place, if each of its characters becomes one character whatever stands beside it.
     *
     * @return how many changed; -1 if the text is not of this kind, and some may have changed
     */
    static int normalizeAlone(char[] text, int length) {
        int changed = 0;
        for (int i = 0; i < length; i++) {
            char c = text[i];
            if (isUnchanged(c)) {
                continue;
            }
            if (ALONE[c] != LONG_WAY) {
                text[i] = ALONE[c];
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
            boolean joins = Character.isDefined(c) == false || isCountedInRun(c);
            symbols.set(c - FIRST_SYMBOL, joins == false && transform(symbol).equals(symbol));
        }
        return symbols;
    }

    static String transform(String text) {
        String composed = compose(strip(text));
        // Compatibility forms can hold what was just taken out: U+FE71 is a tatweel with a mark.
        return compose(strip(composed));
    }

    /** The place of the first character that may change, or the length of the text. */
    private static int unchangedUpTo(String text) {
        char[] chunk = new char[Math.min(text.length(), CHUNK)];
        for (int begin = 0; begin < text.length(); begin += CHUNK) {
            int length = Math.min(CHUNK, text.length() - begin);
            text.getChars(begin, begin + length, chunk, 0);
            int changes = 0;
            for (int i = 0; i < length; i++) {
                changes |= ALONE[chunk[i]] ^ chunk[i];
            }
            if (changes != 0) {
                int first = 0;
                while (isUnchanged(chunk[first])) {
                    first++;
                }
                return begin + first;
            }
        }
        return text.length();
    }

    /** Whether a character stays what it is, whatever stands beside it. */
    static boolean isUnchanged(char c) {
        return ALONE[c] == c;
    }

    private static char[] alone() {
        char[] alone = new char[Character.MAX_VALUE + 1];
        for (int c = 0; c < alone.length; c++) {
            alone[c] = alone((char) c);
        }
        for (int c = 0; c < alone.length; c++) {
            // What becomes a mark or a Hangul letter.
            if (alone[alone[c]] != alone[c]) {
                alone[c] = LONG_WAY;
            }
        }
        return alone;
    }

    /** No marks and no Hangul letters: those compose with their neighbours. What this JDK does not know goes the long way. */
    private static char alone(char c) {
        if (joins(c)) {
            return LONG_WAY;
        }
        String normalized = transform(String.valueOf(c));
        return normalized.length() == 1 ? normalized.charAt(0) : LONG_WAY;
    }

    private static boolean isHangulLetter(int c) {
        return (c >= 0x1100 && c <= 0x11FF) || (c >= 0xA960 && c <= 0xA97F) || (c >= 0xD7B0 && c <= 0xD7FF);
    }

    private static String compose(String text) {
        return Normalizer.isNormalized(text, Normalizer.Form.NFKC)
                ? text
                : Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    private static String strip(String text) {
        StringBuilder kept = null;
        int marks = 0;
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            boolean visible = isInvisible(c) == false;
            if (visible) {
                marks = isCountedInRun(c) ? marks + 1 : 0;
            }
            boolean keep = visible && marks <= MAX_COMBINING_MARKS;
            if (kept == null && (keep == false || isRareSeparator(c))) {
                kept = new StringBuilder(text.length()).append(text, 0, i);
            }
            if (keep && kept != null) {
                kept.appendCodePoint(isRareSeparator(c) ? ' ' : c);
            }
        }
        return kept == null ? text : kept.toString();
    }

    private static boolean isLineOrTab(int c) {
        return c == '\n' || c == '\t' || c == '\r';
    }

    private static boolean isRareSeparator(int c) {
        return c == 0x0B || c == 0x0C || (c >= 0x1C && c <= 0x1F) || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    private static boolean isInvisible(int c) {
        if (c < 0xAD) {
            boolean control = c < ' ' || (c >= 0x7F && c < 0xA0);
            return control && isLineOrTab(c) == false && isRareSeparator(c) == false;
        }
        if ((c > 0xAD && c < 0x34F) || (c > 0x3164 && c < 0xD800)) {
            return false;
        }
        int low = 0;
        int high = INVISIBLE.length / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (c < INVISIBLE[2 * middle]) {
                high = middle - 1;
            } else if (c > INVISIBLE[2 * middle + 1]) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a character is ordered among the marks before it, or composes with what stands before it over and over: marks,
     * letters that become marks (half-width sound marks), and vowel signs of Kirat Rai, of which two are one. Written out, as
     * what is newer than the JDK's Unicode has no type there.
     */
    static boolean isCountedInRun(int c) {
        if (c < 0x300) {
            return false;
        }
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK
                || c == 0xFF9E
                || c == 0xFF9F
                || c == 0x16D67
                || c == 0x16D68;
    }
}
