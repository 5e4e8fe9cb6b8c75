/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.sketch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;

/**
 * A set of features by eight bits of each MinHash component (b-bit minwise hashing, Li and König, 2010), with its size. Two sets of the
 * Jaccard similarity {@code j} agree in the share {@code j + (1 - j) / 256} of their components by expectation. Four bits would do for
 * similar texts; what is alike in a tenth of its features drowns in the sixteenth that agrees by chance then. Immutable; the array is not
 * to be changed.
 *
 * <p>As bytes, in documents and in the index: the size in four bytes, big endian, then a byte for each component. 132 bytes of 128
 * components.
 *
 * @param bytes size and components
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by content, and never changed.
public record Sketch(byte[] bytes) {

    /** Where the components begin. */
    private static final int HEADER = Integer.BYTES;

    private static final double VALUES = 256;
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    public Sketch {
        if (bytes.length <= HEADER || bytes.length > HEADER + BandLayout.MAX_PERMUTATIONS) {
            throw new IllegalArgumentException("[sketch] must have " + (HEADER + 1) + " to "
                    + (HEADER + BandLayout.MAX_PERMUTATIONS) + " bytes, got: " + bytes.length);
        }
    }

    /**
     * The sketch of a set.
     *
     * @param features distinct hashes, the first {@code size} of the array
     * @param size at least 1
     */
    public static Sketch of(long[] features, int size, int permutations) {
        long[] winners = Signature.of(features, size, permutations);
        byte[] bytes = new byte[HEADER + permutations];
        INTS.set(bytes, 0, size);
        for (int i = 0; i < permutations; i++) {
            bytes[HEADER + i] = (byte) winners[i];
        }
        return new Sketch(bytes);
    }

    /**
     * Reads what {@link #toBase64} writes.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Sketch fromBase64(String text) {
        try {
            return new Sketch(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("[sketch] must be what the processor [minhash] writes", e);
        }
    }

    /** As it stands in documents. */
    public String toBase64() {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Number of distinct features of the set. */
    public int size() {
        return size(bytes, 0);
    }

    /** The size of the set whose sketch begins at an offset. */
    public static int size(byte[] bytes, int offset) {
        return (int) INTS.get(bytes, offset);
    }

    /** Number of components. */
    public int permutations() {
        return bytes.length - HEADER;
    }

    /** Component {@code i}, 0 to 255. */
    public int component(int i) {
        return bytes[HEADER + i] & 0xff;
    }

    /** In how many components both agree; both must have the same number of them. */
    public int agreeing(Sketch other) {
        return agreeing(other.bytes, 0);
    }

    /** As the other, with the sketch that begins at an offset, of as many components. */
    public int agreeing(byte[] others, int offset) {
        int end = bytes.length;
        int differing = 0;
        int i = HEADER;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            differing += differing((long) LONGS.get(bytes, i) ^ (long) LONGS.get(others, offset + i));
        }
        for (; i < end; i++) {
            differing += bytes[i] == others[offset + i] ? 0 : 1;
        }
        return end - HEADER - differing;
    }

    /** How many of eight components differ, by the exclusive or of them. */
    public static int differing(long xor) {
        long bits = xor | (xor >>> 4);
        bits |= bits >>> 2;
        return Long.bitCount((bits | (bits >>> 1)) & LOW_BITS);
    }

    /** The Jaccard similarity of which so many components agree by expectation. */
    public static double similarity(int agreeing, int permutations) {
        return Math.max(0, (agreeing / (double) permutations - 1 / VALUES) / (1 - 1 / VALUES));
    }

    /** The fewest agreeing components of a similarity of at least {@code minimum}. */
    public static int leastAgreeing(double minimum, int permutations) {
        int least = 0;
        while (least < permutations && similarity(least, permutations) < minimum) {
            least++;
        }
        return least;
    }

    /**
     * The share of the smaller set that the larger one has, by their Jaccard similarity and their sizes: of {@code a} and {@code b}
     * features {@code j * (a + b) / (1 + j)} are in both.
     */
    public static double containment(double jaccard, int a, int b) {
        return Math.min(1, jaccard * ((double) a + b) / (1 + jaccard) / Math.min(a, b));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Sketch sketch && Arrays.equals(bytes, sketch.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return toBase64();
    }
}
