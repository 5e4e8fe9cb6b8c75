/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.HexFormat;

/**
 * Cuts the 64 bits of a fingerprint into {@code count} segments, most significant first. The first {@code 64 mod count}
 * segments are one bit wider than the others.
 *
 * <p>With 4 segments, {@code 9f2c4d0011aa22bb} is cut into {@code 9f2c}, {@code 4d00}, {@code 11aa}, {@code 22bb}. With
 * 6, four segments have 11 bits and two have 10; each is written with three hex digits.
 *
 * <p>Two fingerprints that differ in at most {@code count - 1} bits share at least one segment (pigeonhole principle).
 *
 * @param count the number of segments, {@link #MIN} to {@link #MAX}
 */
public record SegmentLayout(int count) {

    public static final int MIN = 2;
    public static final int MAX = 8;

    /** @throws IllegalArgumentException when {@code count} is out of range */
    public SegmentLayout {
        if (count < MIN || count > MAX) {
            throw new IllegalArgumentException("[segments] must be between " + MIN + " and " + MAX + ", got: " + count);
        }
    }

    /** Width of segment {@code i} in bits. */
    public int width(int i) {
        return Long.SIZE / count + (i < Long.SIZE % count ? 1 : 0);
    }

    /** Position of the lowest bit of segment {@code i}. */
    public int shift(int i) {
        int bitsUpToHere = (i + 1) * (Long.SIZE / count) + Math.min(i + 1, Long.SIZE % count);
        return Long.SIZE - bitsUpToHere;
    }

    /** Value of segment {@code i}, in the low {@link #width} bits. */
    public long value(long fingerprint, int i) {
        return (fingerprint >>> shift(i)) & (-1L >>> (Long.SIZE - width(i)));
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
        String[] terms = new String[count];
        for (int i = 0; i < count; i++) {
            terms[i] = term(value(fingerprint, i), i);
        }
        return terms;
    }
}
