/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sketch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/**
 * Eight bits of each MinHash component of a set (b-bit minwise hashing, Li and König, 2010), and its size. Two sets
 * of Jaccard similarity {@code j} are expected to agree in the share {@code j + (1 - j) / 256} of them. In four bits
 * a similarity of a tenth would drown in the sixteenth that agrees by chance. Immutable; nobody may change the array.
 *
 * <p>In documents and in the index: the size in four bytes, big endian, then a byte per component. 128 components take 132 bytes.
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by content, and never changed.
public record Sketch(byte[] bytes) {

    /** Start of the components. */
    private static final int HEADER = Integer.BYTES;

    private static final double VALUES = 256;
    private static final long LOW_BITS = 0x0101010101010101L;
    static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    public Sketch {
        if (isLength(bytes.length) == false) {
            throw new IllegalArgumentException("[sketch] must have " + (HEADER + 1) + " to "
                    + (HEADER + BandLayout.MAX_PERMUTATIONS) + " bytes, got: " + bytes.length);
        }
    }

    public static boolean isLength(int bytes) {
        return bytes > HEADER && bytes <= HEADER + BandLayout.MAX_PERMUTATIONS;
    }

    /** Of distinct hashes, at least one: the first {@code size} of the array. */
    public static Sketch of(long[] features, int size, int permutations) {
        long[] winners = Signature.of(features, size, permutations);
        byte[] bytes = new byte[HEADER + permutations];
        INTS.set(bytes, 0, size);
        for (int i = 0; i < permutations; i++) {
            bytes[HEADER + i] = (byte) winners[i];
        }
        return new Sketch(bytes);
    }

    /** Reads the output of {@link #toBase64}. */
    public static Sketch fromBase64(String text) {
        try {
            return new Sketch(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("[sketch] must be what the processor [minhash] writes", e);
        }
    }

    public String toBase64() {
        return Base64.getEncoder().encodeToString(bytes);
    }

    public int size() {
        return size(bytes, 0);
    }

    /** The size of a sketch that starts at an offset. */
    public static int size(byte[] bytes, int offset) {
        return (int) INTS.get(bytes, offset);
    }

    public int permutations() {
        return bytes.length - HEADER;
    }

    /** Component {@code i}, 0 to 255. */
    public int component(int i) {
        return bytes[HEADER + i] & 0xff;
    }

    /** Number of components in which both agree. Both must have equally many. */
    public int agreeing(Sketch other) {
        return agreeing(other.bytes, 0);
    }

    /** The same for a sketch that starts at an offset. */
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

    public static double requireSimilarity(double minSimilarity) {
        return TypedNumber.requireBetween("min_similarity", 0, 1, minSimilarity);
    }

    /** The Jaccard similarity for which this many agreeing components are expected. */
    public static double similarity(int agreeing, int permutations) {
        return Math.max(0, (agreeing / (double) permutations - 1 / VALUES) / (1 - 1 / VALUES));
    }

    /** The least number of agreeing components for a similarity of {@code minimum}. */
    public static int leastAgreeing(double minimum, int permutations) {
        int least = 0;
        while (least < permutations && similarity(least, permutations) < minimum) {
            least++;
        }
        return least;
    }

    /** The share of the smaller set that is in the larger one: {@code j * (a + b) / (1 + j)} features are in both. */
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

    /**
     * MinHash components of a set by fast similarity sketching (Dahlgaard, Knudsen, Thorup, 2017). Each round hashes
     * every feature into one component, where the least hash wins; the next round fills components that are empty.
     * Two sets have the same winner with the probability of their Jaccard similarity.
     *
     * <p>Cost: one round if the set is much larger than the number {@code k} of components, at most about {@code n +
     * k log k} hashes; MinHash takes {@code n * k}.
     */
    private static final class Signature {

        /** Part of the scheme: another seed changes every sketch. */
        private static final long SEED = 0x9E3779B97F4A7C15L;

        private static final long NONE = Long.MAX_VALUE;

        private Signature() {}

        /** The least hash of each component. */
        static long[] of(long[] features, int size, int permutations) {
            long[] winners = new long[permutations];
            Arrays.fill(winners, NONE);
            long seed = HashFunction.mix(SEED);
            for (int i = 0; i < size; i++) {
                // Without a branch, because the component is random.
                long hash = HashFunction.mix(features[i] ^ seed);
                int component = component(hash, permutations);
                winners[component] = Math.min(winners[component], hash);
            }
            boolean[] isEmpty = new boolean[permutations];
            Arrays.fill(isEmpty, true);
            for (int round = 1; markEmpty(winners, isEmpty); round++) {
                seed = HashFunction.mix(SEED * (round + 1));
                for (int i = 0; i < size; i++) {
                    long hash = HashFunction.mix(features[i] ^ seed);
                    // After these random rounds, each further round fills one component.
                    int component = round < permutations ? component(hash, permutations) : round - permutations;
                    if (isEmpty[component]) {
                        winners[component] = Math.min(winners[component], hash);
                    }
                }
            }
            return winners;
        }

        /** The high bits select the component. The others compete in it. */
        private static int component(long hash, int permutations) {
            return (int) (((hash >>> Integer.SIZE) * permutations) >>> Integer.SIZE);
        }

        private static boolean markEmpty(long[] winners, boolean[] isEmpty) {
            boolean isAny = false;
            for (int i = 0; i < winners.length; i++) {
                isEmpty[i] &= winners[i] == NONE;
                isAny |= isEmpty[i];
            }
            return isAny;
        }
    }
}
