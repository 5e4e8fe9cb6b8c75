/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sketch;

import org.opensearch.simhash.core.fingerprint.HashFunction;

/**
 * Sketches as words of 64 bits in arrays that hold many of them: first a word whose lower half is the number of components, then eight
 * components a word, the first one in the lowest bits. The last word ends in zeros. Of a sketch's size nothing is kept.
 */
public final class SketchWords {

    /** Bytes of a sketch before its components. */
    public static final int HEADER = Integer.BYTES;

    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private SketchWords() {}

    /** Words of a sketch. */
    public static int length(int permutations) {
        return 1 + (permutations + Long.BYTES - 1) / Long.BYTES;
    }

    /** Components of a sketch that starts at a place. */
    public static int permutations(long[] words, int at) {
        return (int) words[at];
    }

    /** What its keeper has written into the upper half of the first word. Sketches with different labels have different bands. */
    public static int label(long[] words, int at) {
        return (int) (words[at] >>> Integer.SIZE);
    }

    /** Components of a sketch in bytes as {@link Sketch} has them; 0 if these are none. */
    public static int permutations(int bytes) {
        int permutations = bytes - HEADER;
        return permutations > BandLayout.MAX_PERMUTATIONS ? 0 : Math.max(0, permutations);
    }

    /** Writes a sketch, or another hash of whole bytes, whose components start behind any header. */
    public static void write(byte[] bytes, int from, int permutations, long[] words, int at) {
        words[at] = permutations;
        int end = from + permutations;
        int to = at + 1;
        for (; from <= end - Long.BYTES; from += Long.BYTES) {
            words[to++] = (long) Sketch.LONGS.get(bytes, from);
        }
        if (from < end) {
            words[to] = 0;
            for (int i = from; i < end; i++) {
                words[to] |= (bytes[i] & 0xffL) << ((i - from) * Byte.SIZE);
            }
        }
    }

    /** Equal for sketches with equal components, whatever their labels. Others have the same with a probability of 2^-64. */
    public static long hash(long[] words, int at) {
        long hash = permutations(words, at);
        int end = at + length(permutations(words, at));
        for (int i = at + 1; i < end; i++) {
            hash = HashFunction.mix(hash ^ words[i]);
        }
        return hash;
    }

    /** Number of components in which two sketches with equally many components agree. */
    public static int agreeing(long[] a, int atA, long[] b, int atB) {
        int permutations = permutations(a, atA);
        int words = length(permutations);
        int differing = 0;
        for (int i = 1; i < words; i++) {
            differing += Sketch.differing(a[atA + i] ^ b[atB + i]);
        }
        return permutations - differing;
    }

    /** At most eight components of a sketch, one a byte. */
    public static long band(long[] words, int at, int from, int length) {
        int word = at + 1 + from / Long.BYTES;
        int shift = from % Long.BYTES * Byte.SIZE;
        long band = words[word] >>> shift;
        if (shift + length * Byte.SIZE > Long.SIZE) {
            band |= words[word + 1] << (Long.SIZE - shift);
        }
        return band & (-1L >>> (Long.SIZE - length * Byte.SIZE));
    }

    /** The upper 32 bits of a mix of a band and a label. */
    public static int key(long band, int label) {
        return (int) (HashFunction.mix(band ^ label * SPREAD) >>> Integer.SIZE);
    }
}
