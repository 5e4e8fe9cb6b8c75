/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/** The option {@code max_distance}: the most bits in which fingerprints of near-duplicates differ, 0 to 64. */
public final class MaxDistance {

    /** The default without verification. */
    public static final int DEFAULT = 3;

    /** The default with verification; how it was chosen is in docs/decisions.md. */
    public static final int DEFAULT_VERIFIED = 11;

    private MaxDistance() {}

    public static int byDefault(boolean isVerified) {
        return isVerified ? DEFAULT_VERIFIED : DEFAULT;
    }

    /**
     * Checks a value.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static int require(int distance) {
        if (distance < 0 || distance > Long.SIZE) {
            throw new IllegalArgumentException("[max_distance] must be between 0 and 64, got: " + distance);
        }
        return distance;
    }
}
