/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * A hash of 256 bits, in words of 64, the most significant first. Bit 0 is the least significant of the last word.
 * Hashes of 64 bits are a {@code long} everywhere. Immutable.
 */
public final class LongHash {

    public static final int MOST_BITS = 256;

    private static final int DIGITS = MOST_BITS / 4;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final long[] words;

    /** @param words 4; not copied */
    public LongHash(long... words) {
        assert words.length * Long.SIZE == MOST_BITS : words.length;
        this.words = words;
    }

    /** Checks the option {@code hash_bits}. */
    public static int requireLength(int bits) {
        if (bits != Long.SIZE && bits != MOST_BITS) {
            throw new IllegalArgumentException("[hash_bits] must be 64 or 256, got: " + bits);
        }
        return bits;
    }

    /** Whether a text is such a hash: 64 lowercase hex digits. */
    public static boolean isHex(String text) {
        return Fingerprint.isHex(text, DIGITS);
    }

    /** @param hash for which {@link #isHex} is true */
    public static LongHash fromHex(String hash) {
        return fromBytes(HexFormat.of().parseHex(hash), 0, hash.length() / 2);
    }

    /** @param length 32 */
    public static LongHash fromBytes(byte[] bytes, int offset, int length) {
        long[] words = new long[length / Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = word(bytes, offset, i);
        }
        return new LongHash(words);
    }

    private static long word(byte[] bytes, int offset, int i) {
        return (long) WORD.get(bytes, offset + i * Long.BYTES);
    }

    public int length() {
        return words.length * Long.SIZE;
    }

    public int words() {
        return words.length;
    }

    public long word(int i) {
        return words[i];
    }

    public String toHex() {
        return HexFormat.of().formatHex(toBytes());
    }

    public byte[] toBytes() {
        byte[] bytes = new byte[words.length * Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            WORD.set(bytes, i * Long.BYTES, words[i]);
        }
        return bytes;
    }

    /** As a field of the type {@code binary} takes it. */
    public String toBase64() {
        return Base64.getEncoder().encodeToString(toBytes());
    }

    /** Number of differing bits. The other hash has the same length. */
    public int distance(LongHash other) {
        int distance = 0;
        for (int i = 0; i < words.length; i++) {
            distance += Long.bitCount(words[i] ^ other.words[i]);
        }
        return distance;
    }

    /** Number of bits in which the bytes differ that are this hash's length. */
    public int distance(byte[] bytes, int offset) {
        int distance = 0;
        for (int i = 0; i < words.length; i++) {
            distance += Long.bitCount(words[i] ^ word(bytes, offset, i));
        }
        return distance;
    }

    /** Positions of the differing bits, ascending. The other hash has the same length. */
    public List<Integer> differingBits(LongHash other) {
        List<Integer> positions = new ArrayList<>();
        for (int i = words.length - 1; i >= 0; i--) {
            int base = (words.length - 1 - i) * Long.SIZE;
            Fingerprint.differingBits(words[i], other.words[i]).forEach(bit -> positions.add(base + bit));
        }
        return positions;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LongHash hash && Arrays.equals(words, hash.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    @Override
    public String toString() {
        return toHex();
    }
}
