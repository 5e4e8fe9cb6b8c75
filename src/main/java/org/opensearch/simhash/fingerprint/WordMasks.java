/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import java.io.Reader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A window of a text, each character with its {@link WordClass} and in lower case, and as bit masks, a bit for each character:
 * which belong to a word, which are white space, which are complex. Without masks every end of a word is a branch that no
 * processor predicts. Not thread-safe.
 */
final class WordMasks {

    private static final int SIZE = 8192;
    private static final int BITS = Long.SIZE;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOWEST_OF_EACH_BYTE = 0x0101_0101_0101_0101L;
    /** As a factor: byte {@code i} of the other, 0 or 1, becomes bit {@code i} of the highest byte. */
    private static final long LOWEST_TO_HIGHEST_BYTE = 0x0102_0408_1020_4080L;

    private final char[] chars = new char[SIZE];
    private final char[] lowercase = new char[SIZE];
    /** With room for readers that take eight at a time. */
    private final byte[] ascii = new byte[SIZE + Long.BYTES];

    private final byte[] classes = new byte[SIZE];
    private final long[] words = new long[SIZE / BITS];
    private final long[] complex = new long[SIZE / BITS];
    private boolean isAscii;
    private int limit;

    void clear() {
        limit = 0;
    }

    /** Number of characters. */
    int limit() {
        return limit;
    }

    char character(int i) {
        return chars[i];
    }

    char[] lowercase() {
        return lowercase;
    }

    /** {@link #lowercase} as bytes; null when some character is not ASCII. */
    byte[] ascii() {
        return isAscii ? ascii : null;
    }

    /**
     * Moves the window to {@code from} and reads on.
     *
     * @return whether the text ends in the window
     */
    boolean fill(int from, Reader input) throws IOException {
        System.arraycopy(chars, from, chars, 0, limit - from);
        limit -= from;
        boolean allRead = false;
        while (limit < SIZE && allRead == false) {
            int read = input.read(chars, limit, SIZE - limit);
            allRead = read < 0;
            limit += Math.max(0, read);
        }
        classify();
        return allRead;
    }

    private void classify() {
        int union = 0;
        for (int i = 0; i < limit; i++) {
            char c = chars[i];
            union |= c;
            classes[i] = WordClass.of(c);
            char lower = WordClass.lowercase(c);
            lowercase[i] = lower;
            ascii[i] = (byte) lower;
        }
        isAscii = union < 0x80;
        Arrays.fill(classes, limit, blocks() * BITS, WordClass.SPACE);
        for (int block = 0; block < blocks(); block++) {
            words[block] = mask(block, WordClass.WORD);
            complex[block] = mask(block, WordClass.COMPLEX);
            for (long between = mask(block, WordClass.BETWEEN); between != 0; between &= between - 1) {
                if (joins(block * BITS + Long.numberOfTrailingZeros(between))) {
                    words[block] |= between & -between;
                }
            }
        }
    }

    /** Which of 64 characters have a class with a bit: eight classes at a time, their bits moved together by a product. */
    private long mask(int block, byte bit) {
        int shift = Integer.numberOfTrailingZeros(bit);
        long mask = 0;
        for (int i = 0; i < BITS; i += Long.BYTES) {
            long eight = ((long) LONG.get(classes, block * BITS + i) >>> shift) & LOWEST_OF_EACH_BYTE;
            mask |= ((eight * LOWEST_TO_HIGHEST_BYTE) >>> (BITS - Byte.SIZE)) << i;
        }
        return mask;
    }

    private int blocks() {
        return (limit + BITS - 1) / BITS;
    }

    /** Whether what stands between two characters makes one word of them. */
    private boolean joins(int i) {
        if (i == 0 || i + 1 >= limit || classes[i - 1] != classes[i + 1]) {
            return false;
        }
        return switch (classes[i - 1]) {
            case WordClass.LETTER -> classes[i] != WordClass.BETWEEN_DIGITS;
            case WordClass.DIGIT -> classes[i] != WordClass.BETWEEN_LETTERS;
            default -> false;
        };
    }

    /** Whether no complex character is at or after {@code from}. */
    boolean isSimple(int from) {
        return nextSet(complex, 0, from) >= limit;
    }

    /** The first character of a word at or after {@code from}, or {@code to}. */
    int nextWord(int from, int to) {
        return Math.min(to, nextSet(words, 0, from));
    }

    /** The first character that does not belong to the word at {@code begin}, or {@code to}. */
    int endOfWord(int begin, int to) {
        return Math.min(to, nextSet(words, -1L, begin));
    }

    /**
     * Where the stretch begins that the next complex character is in, or that may go on after the window; the end of the window
     * when there is neither.
     */
    int endOfSimple(int from, boolean allRead) {
        int next = nextSet(complex, 0, from);
        if (next >= limit && allRead) {
            return limit;
        }
        for (int i = Math.min(next, limit) - 1; i >= from; i--) {
            if (classes[i] == WordClass.SPACE) {
                return i + 1;
            }
        }
        return from;
    }

    /** The first bit from {@code from} on that is set after {@code flip} was applied, or a number not below the limit. */
    private int nextSet(long[] mask, long flip, int from) {
        int block = from / BITS;
        int blocks = blocks();
        if (block >= blocks) {
            return limit;
        }
        long rest = (mask[block] ^ flip) & (-1L << from);
        while (rest == 0) {
            if (++block >= blocks) {
                return limit;
            }
            rest = mask[block] ^ flip;
        }
        return block * BITS + Long.numberOfTrailingZeros(rest);
    }
}
