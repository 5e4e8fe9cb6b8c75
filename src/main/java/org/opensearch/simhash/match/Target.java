/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.util.OptionalLong;

/**
 * What documents are compared with.
 *
 * @param bits the fingerprint, empty for a text too short to have one: then only an equal digest matches
 * @param digest the digest, or null when unknown: then only the fingerprint matches
 * @param scheme the recipe that made the fingerprint, or null when unknown: then fingerprints of any recipe are compared
 */
public record Target(OptionalLong bits, String digest, String scheme) {

    public Target {
        if (bits.isEmpty() && digest == null) {
            throw new IllegalArgumentException("a target needs a fingerprint or a digest, got neither");
        }
    }

    /** A bare fingerprint, made by whatever recipe. */
    public static Target of(long bits) {
        return new Target(OptionalLong.of(bits), null, null);
    }

    /** Number of bits in which {@code other} differs; the target must have a fingerprint. */
    int distance(long other) {
        return Long.bitCount(bits.getAsLong() ^ other);
    }
}
