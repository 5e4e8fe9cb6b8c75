/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.function.LongConsumer;

/**
 * What every text goes through before analysis, so that texts which read alike are alike: brings it into its {@link NormalForm}
 * and joins what {@link Hyphenation} cut. Idempotent. Linear in the length of the text, whatever it holds.
 */
final class TextNormalizer {

    /** Copied out of a text at once: a third of the time that single characters take. */
    private static final int CHUNK = 1024;

    /** Characters that go the long way between two questions whether to go on: less than a millisecond. */
    static final int CHARACTERS_BETWEEN_CHECKS = 8 * CHUNK;

    /** What a piece counts for beside its characters. */
    private static final int CHECKED_PIECE = 8;

    private TextNormalizer() {}

    /** The normalised text; the same instance when there is nothing to do. */
    static String normalize(String text) {
        return normalize(text, grown -> {});
    }

    /**
     * The normalised text; the same instance when there is nothing to do.
     *
     * @param growth is told by how many characters the text gets longer, before it does; a character may become 18. It is told 0 now and
     *     then, and may refuse either with an exception
     */
    static String normalize(String text, LongConsumer growth) {
        String whole = Hyphenation.joinSoft(text);
        int unchanged = unchangedUpTo(whole);
        return Hyphenation.join(unchanged == whole.length() ? whole : normalize(whole, unchanged, growth));
    }

    /** What changes is taken out of the text in slices: the long way costs ten times as much a character. */
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
                // The character before may be what a mark composes with.
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
                        // The builder will double.
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

    /** What is transformed at once is copied several times, so a long slice goes in pieces that do not depend on each other. */
    private static int endOfPiece(String text, int begin, int end) {
        int next = begin + CHUNK;
        while (next < end && NormalForm.isIndependent(text.charAt(next)) == false) {
            next++;
        }
        return Math.min(next, end);
    }

    /** The place of the first character that may change, or the length of the text. */
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
