/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.core.fingerprint.StandardWordAnalyzer;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.memory.LongSet;

/**
 * One text, against which others are searched for words of their own: words that it lacks. A reply above a quoted mail
 * has them, however long the mail is.
 *
 * <p>Both texts are cut into plain words, whatever their recipe does: stop words count, and no stemmer hides a word. A word is shared if it
 * stands in three equal words in a row that this text has anywhere, so moved paragraphs are shared, and single common words are not. A text
 * of fewer than three words is shared only as a whole. A character of a script without spaces counts as half a word.
 *
 * <p>A run of own words does not end at a phrase that both texts happen to have. Each own word adds one, each shared
 * word takes away a half, and the run with the largest sum counts (Bentley, "Programming pearls: algorithm design
 * techniques", CACM 1984). Words that are edited here and there, less than one of three, make no run.
 *
 * <p>Time is linear. Memory: 16 to 32 bytes per distinct run of three words of this text, and two bits per character of
 * the other. One thread.
 */
public final class OwnWords implements AutoCloseable {

    public static final int UNLIMITED = -1;

    /** Longest run of own words with which a document may end. */
    public static final int DEFAULT_MOST = 15;

    /** Words in a row that make them shared. */
    private static final int IN_A_ROW = 3;

    /** Units of a word, and of a character of a script without spaces. */
    private static final int WORD = 2;

    private static final int CHARACTER = 1;

    /** An own unit weighs so many times as much as a shared one. */
    private static final int OWN = 2;

    /** Thai. */
    private static final int FIRST_WITHOUT_SPACES = 0x0E00;

    /** Units of a run of words that is shared. */
    private static final int LEAST = IN_A_ROW * WORD;

    private final Analyzer words = new StandardWordAnalyzer();
    private final String text;
    private final TokenShingles shingles;
    private final Account memory;
    private final LongSet shared;
    private int count;
    private int units;

    /** @param text normalised, without markup */
    public OwnWords(String text, LongConsumer memory, Runnable checkCancelled) {
        this.text = text;
        this.shingles = new TokenShingles(words, IN_A_ROW);
        this.memory = new Account(memory);
        this.shared = new LongSet(this.memory);
        try {
            count = shingles.forEachToken(
                    text,
                    (token, number, shingle) -> {
                        if (number + 1 >= IN_A_ROW) {
                            shared.add(shingle);
                        }
                        if (units < LEAST) {
                            units += isCharacter(token) ? CHARACTER : WORD;
                        }
                    },
                    checkCancelled);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The longest run of words of {@code text} that {@code other} lacks. */
    public static int longestRun(String text, String other, LongConsumer memory, Runnable checkCancelled) {
        try (OwnWords words = new OwnWords(other, memory, checkCancelled)) {
            return words.longestRunOf(text, checkCancelled);
        }
    }

    /** The longest run of words of another text that this one lacks. */
    public int longestRunOf(String other, Runnable checkCancelled) {
        try (Account bits = new Account(memory)) {
            // No word is shorter than a character.
            int capacity = other.length() + 1;
            bits.take(2L * capacity / Byte.SIZE);
            FixedBitSet characters = new FixedBitSet(capacity);
            FixedBitSet ends = new FixedBitSet(capacity);
            int length = shingles.forEachToken(
                    other,
                    (token, number, shingle) -> {
                        if (isCharacter(token)) {
                            characters.set(number);
                        }
                        if (number + 1 >= IN_A_ROW && shared.slot(shingle) >= 0) {
                            ends.set(number);
                        }
                    },
                    checkCancelled);
            int unitsOfOther = units(characters, 0, length);
            if (unitsOfOther >= LEAST && units >= LEAST) {
                return longestRun(length, characters, ends, IN_A_ROW, LEAST);
            }
            boolean isOtherWhole = unitsOfOther < LEAST && (units >= LEAST || length <= count);
            int whole = isOtherWhole ? length : count;
            ends.clear(0, capacity);
            if (whole > 0) {
                wholes(isOtherWhole ? other : text, isOtherWhole ? text : other, whole, checkCancelled, end -> {
                    ends.set(isOtherWhole ? length - 1 : end);
                });
            }
            return longestRun(length, characters, ends, Math.max(1, whole), 0);
        }
    }

    /** Calls back with the last word of each place where a text of some words stands in another one. */
    private void wholes(String part, String in, int size, Runnable checkCancelled, IntConsumer found) {
        TokenShingles runs = new TokenShingles(words, size);
        long[] wanted = new long[1];
        runs.forEachToken(part, (token, number, shingle) -> wanted[0] = shingle, checkCancelled);
        runs.forEachToken(
                in,
                (token, number, shingle) -> {
                    if (number + 1 >= size && shingle == wanted[0]) {
                        found.accept(number);
                    }
                },
                checkCancelled);
    }

    /** By the last words of some in a row that are shared, and the least units of a shared run. */
    private static int longestRun(int count, FixedBitSet characters, FixedBitSet ends, int inARow, int least) {
        int longest = 0;
        int sum = 0;
        int next = 0; // the first word that was not counted
        for (int end = nextEnd(ends, 0, count); end < count; ) {
            int last = end;
            while (last + 1 < count && ends.get(last + 1)) {
                last++;
            }
            int from = Math.max(next, end + 1 - inARow);
            if (units(characters, end + 1 - inARow, last + 1) >= least) {
                sum += OWN * units(characters, next, from);
                longest = Math.max(longest, sum);
                sum = Math.max(0, sum - units(characters, from, last + 1));
                next = last + 1;
            }
            end = nextEnd(ends, last + 1, count);
        }
        return Math.max(longest, sum + OWN * units(characters, next, count)) / (OWN * WORD);
    }

    private static int nextEnd(FixedBitSet ends, int from, int count) {
        return from >= count ? count : Math.min(count, ends.nextSetBit(from));
    }

    private static int units(FixedBitSet characters, int from, int to) {
        if (from >= to) {
            return 0;
        }
        int ofCharacters = characters.cardinality(from, to);
        return ofCharacters * CHARACTER + (to - from - ofCharacters) * WORD;
    }

    /** Whether a token that begins with this code point stands for a character: scripts without spaces, and Hangul. */
    private static boolean isCharacter(CharTermAttribute token) {
        int length = token.length();
        int first = Character.codePointAt(token.buffer(), 0, length);
        if (first < FIRST_WITHOUT_SPACES) {
            return false;
        }
        return switch (Character.UnicodeScript.of(first)) {
            case HAN, HIRAGANA, KATAKANA -> length == Character.charCount(first);
            case THAI, LAO, KHMER, MYANMAR, TAI_LE, NEW_TAI_LUE, TAI_THAM, TAI_VIET, AHOM, HANGUL -> true;
            default -> false;
        };
    }

    @Override
    public void close() {
        words.close();
        memory.close();
    }
}
