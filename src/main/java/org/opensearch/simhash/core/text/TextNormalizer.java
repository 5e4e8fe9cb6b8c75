/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import java.util.function.LongConsumer;

/** Normalises every text before analysis: {@link NormalForm}, then {@link Hyphenation}. Idempotent and linear. */
public final class TextNormalizer {

    /** Characters copied at once, three times as fast as single access. */
    private static final int CHUNK = 1024;

    /** Characters normalised between two checks: less than a millisecond. */
    static final int CHARACTERS_BETWEEN_CHECKS = 8 * CHUNK;

    /** The fixed cost of a piece, in characters. */
    private static final int CHECKED_PIECE = 8;

    private TextNormalizer() {}

    /** The normalised text; the same instance if nothing changes. */
    public static String normalize(String text) {
        return normalize(text, grown -> {});
    }

    /**
     * The normalised text; the same instance if nothing changes. Growth is told before the text grows (one character
     * may become 18), and 0 now and then.
     */
    public static String normalize(String text, LongConsumer growth) {
        String whole = Hyphenation.joinSoft(NormalForm.joinZeroWidth(text));
        int unchanged = unchangedUpTo(whole);
        return Hyphenation.join(unchanged == whole.length() ? whole : normalize(whole, unchanged, growth));
    }

    /** Normalises only the slices that change: a normalised character costs ten times as much as a copied one. */
    private static String normalize(String text, int firstChange, LongConsumer growth) {
        StringBuilder normalized = new StringBuilder(text.length() + text.length() / 8);
        int done = 0;
        long room = normalized.capacity();
        int unchecked = 0;
        for (int change = firstChange; change < text.length(); ) {
            int end = change;
            boolean alone = true;
            while (end < text.length() && LoneCharacters.isUnchanged(text.charAt(end)) == false) {
                alone &= LoneCharacters.becomes(text.charAt(end)) != LoneCharacters.LONG_WAY;
                end++;
            }
            if (alone) {
                normalized.append(text, done, change);
                for (int i = change; i < end; i++) {
                    normalized.append(LoneCharacters.becomes(text.charAt(i)));
                }
            } else {
                // A mark may compose with the character before it.
                int begin = Math.max(done, change - 1);
                normalized.append(text, done, begin);
                for (int next; begin < end; begin = next) {
                    next = endOfPiece(text, begin, end);
                    unchecked += CHECKED_PIECE + next - begin;
                    if (unchecked > CHARACTERS_BETWEEN_CHECKS) {
                        unchecked = 0;
                        growth.accept(0);
                    }
                    String piece = NormalForm.of(text.substring(begin, next));
                    if (normalized.length() + piece.length() + text.length() - next > room) {
                        // The builder doubles.
                        growth.accept(room);
                        room *= 2;
                    }
                    normalized.append(piece);
                }
            }
            done = end;
            change = end;
            while (change < text.length() && LoneCharacters.isUnchanged(text.charAt(change))) {
                change++;
            }
        }
        return normalized.append(text, done, text.length()).toString();
    }

    /** A slice is copied several times, so a long one is split where characters are independent. */
    private static int endOfPiece(String text, int begin, int end) {
        int next = begin + CHUNK;
        while (next < end && NormalForm.isIndependent(text.charAt(next)) == false) {
            next++;
        }
        return Math.min(next, end);
    }

    /** Index of the first character that may change, or the length. */
    private static int unchangedUpTo(String text) {
        char[] chunk = new char[Math.min(text.length(), CHUNK)];
        for (int begin = 0; begin < text.length(); begin += CHUNK) {
            int length = Math.min(CHUNK, text.length() - begin);
            text.getChars(begin, begin + length, chunk, 0);
            int changes = 0;
            for (int i = 0; i < length; i++) {
                changes |= LoneCharacters.becomes(chunk[i]) ^ chunk[i];
            }
            if (changes != 0) {
                int first = 0;
                while (LoneCharacters.isUnchanged(chunk[first])) {
                    first++;
                }
                return begin + first;
            }
        }
        return text.length();
    }
}
