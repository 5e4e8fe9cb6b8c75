/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;

/**
 * The SimHash of a document's text, empty when it has too few features; its digest of 32 lowercase hex digits, equal for texts with equal
 * tokens and symbols; its distinct features; and the id of the recipe: only fingerprints of one scheme are comparable.
 */
public record Fingerprint(OptionalLong bits, String digest, int features, String scheme) {

    public static final String HASH_RULE = "[hash] must be 16 or 64 lowercase hex digits";

    /** In hex digits. */
    public static final int DIGEST_LENGTH = 32;

    private static final int DIGITS = 16;

    /** A text without words is a duplicate of nothing, so its digest is neither stored nor shown. */
    public boolean isOfWords() {
        return features > 0;
    }

    public static int distance(long a, long b) {
        return Long.bitCount(a ^ b);
    }

    /** Positions of the differing bits, ascending; 0 is the least significant. */
    public static List<Integer> differingBits(long a, long b) {
        List<Integer> positions = new ArrayList<>();
        for (long rest = a ^ b; rest != 0; rest &= rest - 1) {
            positions.add(Long.numberOfTrailingZeros(rest));
        }
        return positions;
    }

    public static String toHex(long bits) {
        return HexFormat.of().toHexDigits(bits);
    }

    public static long fromHex(String hash) {
        if (isHex(hash, DIGITS) == false) {
            throw new IllegalArgumentException(HASH_RULE + ", got: " + hash);
        }
        return HexFormat.fromHexDigitsToLong(hash);
    }

    public static boolean isHex(String text, int digits) {
        boolean isHex = text.length() == digits;
        for (int i = 0; i < text.length() && isHex; i++) {
            char c = text.charAt(i);
            isHex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        }
        return isHex;
    }

    /** The option {@code max_distance}: the most bits in which fingerprints of near-duplicates differ, 0 to their length. */
    public static final class MaxDistance {

        /** The default without verification. */
        public static final int DEFAULT = 3;

        /** The default with verification; how it was chosen is in docs/figures/decisions.md. */
        public static final int DEFAULT_VERIFIED = 11;

        /** Of jobs: a join of more bits compares nearly every pair. */
        public static final int MOST_OF_JOBS = 16;

        private MaxDistance() {}

        public static int byDefault(boolean isVerified) {
            return isVerified ? DEFAULT_VERIFIED : DEFAULT;
        }

        /** Checks a value for fingerprints of 64 bits. */
        public static int require(int distance) {
            return require(distance, Long.SIZE);
        }

        /** @param length of the fingerprints in bits */
        public static int require(int distance, int length) {
            return TypedNumber.requireBetween("max_distance", 0, length, distance);
        }
    }
}
