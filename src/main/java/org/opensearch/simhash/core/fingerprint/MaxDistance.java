/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

/** The option {@code max_distance}: the most bits in which fingerprints of near-duplicates differ, 0 to their length. */
public final class MaxDistance {

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
