/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

import org.opensearch.simhash.core.fingerprint.HashFunction;

/**
 * Hashes of all runs of a length (Karp and Rabin, 1987): a polynomial modulo the prime 2^61 - 1, so that no sequence of few words,
 * such as Thue and Morse's, makes runs collide, as it does modulo 2^64. Constant time a word. Immutable.
 */
final class RollingHash {

    private static final long PRIME = (1L << 61) - 1;
    private static final long BASE = 0x0FB4C1D5A3E97F21L % PRIME;

    private final int length;
    /** {@code BASE^length}. */
    private final long oldest;

    RollingHash(int length) {
        this.length = length;
        long power = 1;
        for (int i = 0; i < length; i++) {
            power = times(power, BASE);
        }
        this.oldest = power;
    }

    /** Calls the visitor for each run of words within a text. */
    void forEach(Words words, Visitor visitor, Runnable checkWanted) {
        for (int text = 0; text < words.texts(); text++) {
            forEach(words, text, visitor, checkWanted);
        }
    }

    void forEach(Words words, int text, Visitor visitor, Runnable checkWanted) {
        int from = words.from(text);
        int to = words.to(text);
        long value = 0;
        for (int i = from; i < to; i++) {
            value = next(value, words.hash(i));
            if (i - from >= length) {
                value = plus(value, PRIME - times(oldest, residue(words.hash(i - length))));
            }
            if (i - from >= length - 1) {
                visitor.run(i - length + 1, HashFunction.mix(value));
            }
            if ((i & 0xFFFF) == 0xFFFF) {
                checkWanted.run();
            }
        }
    }

    @FunctionalInterface
    interface Visitor {
        void run(int firstWord, long hash);
    }

    /** The hash of a beginning with one word more. */
    static long next(long beginning, long word) {
        return plus(times(beginning, BASE), residue(word));
    }

    /** The hash of the last {@code length} words of {@code beginning}, before which {@code before} stands. */
    static long between(long before, long beginning, int length) {
        long power = 1;
        long square = BASE;
        for (int left = length; left > 0; left >>= 1) {
            power = (left & 1) == 0 ? power : times(power, square);
            square = times(square, square);
        }
        return HashFunction.mix(plus(beginning, PRIME - times(before, power)));
    }

    /** At most the prime itself, which stands for 0. */
    private static long residue(long hash) {
        return hash >>> 3;
    }

    private static long plus(long a, long b) {
        long sum = a + b;
        return sum >= PRIME ? sum - PRIME : sum;
    }

    private static long times(long a, long b) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        return plus(low & PRIME, (low >>> 61) | (high << 3));
    }
}
