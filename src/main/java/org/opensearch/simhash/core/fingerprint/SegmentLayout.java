/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.HexFormat;
import java.util.function.IntToLongFunction;

/**
 * Cuts each word of 64 bits into segments, most significant first. The first ones are one bit wider where the number
 * does not divide 64. With 4, {@code 9f2c4d0011aa22bb} is cut into {@code 9f2c}, {@code 4d00}, {@code 11aa}, {@code
 * 22bb}; with 6, four have 11 bits and two have 10, each written with three hex digits.
 *
 * <p>Two fingerprints that differ in at most {@code count - 1} bits share at least one segment (pigeonhole principle).
 *
 * @param count the number of segments: {@link #MIN} to {@link #MAX} of one word
 * @param words 1 or 4 words of 64 bits
 */
public record SegmentLayout(int count, int words) {

    public static final int MIN = 2;
    public static final int MAX = 8;

    /** Most segments of a hash of several words. */
    public static final int MAX_OF_WORDS = 16;

    /** The default for each word. */
    public static final int USUAL = 4;

    public SegmentLayout {
        if (words == 1) {
            TypedNumber.requireBetween("segments", MIN, MAX, count);
        }
        if (words > 1 && isOfWords(count, words) == false) {
            throw new IllegalArgumentException("[segments] of a hash of " + words * Long.SIZE
                    + " bits must be a multiple of " + words + " between " + MIN * words + " and " + MAX_OF_WORDS
                    + ", got: " + count);
        }
    }

    /** Of a fingerprint of 64 bits. */
    public SegmentLayout(int count) {
        this(count, 1);
    }

    /** Whether hashes of several words are cut into so many segments. */
    public static boolean isOfWords(int count, int words) {
        return count % words == 0 && count / words >= MIN && count <= MAX_OF_WORDS;
    }

    /** Number of the word that segment {@code i} is a part of. */
    public int word(int i) {
        return i * words / count;
    }

    /** Width of segment {@code i} in bits. */
    public int width(int i) {
        int ofWord = count / words;
        return Long.SIZE / ofWord + (i % ofWord < Long.SIZE % ofWord ? 1 : 0);
    }

    /** Position of the lowest bit of segment {@code i} in its word. */
    public int shift(int i) {
        int ofWord = count / words;
        int next = i % ofWord + 1;
        return Long.SIZE - next * (Long.SIZE / ofWord) - Math.min(next, Long.SIZE % ofWord);
    }

    /** Value of segment {@code i}, in the low {@link #width} bits. */
    public long value(long word, int i) {
        return (word >>> shift(i)) & (-1L >>> (Long.SIZE - width(i)));
    }

    /** Hex digits of a term of segment {@code i}. */
    public int digits(int i) {
        return (width(i) + 3) / 4;
    }

    /** The indexed term for a value of segment {@code i}: lowercase hex, zero-padded. */
    public String term(long value, int i) {
        return HexFormat.of().toHexDigits(value, digits(i));
    }

    /** The terms of all segments, most significant first. */
    public String[] terms(long fingerprint) {
        return terms(word -> fingerprint);
    }

    public String[] terms(LongHash hash) {
        return terms(hash::word);
    }

    private String[] terms(IntToLongFunction ofWord) {
        String[] terms = new String[count];
        for (int i = 0; i < count; i++) {
            terms[i] = term(value(ofWord.applyAsLong(word(i)), i), i);
        }
        return terms;
    }
}
