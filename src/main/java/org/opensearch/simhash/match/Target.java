/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.util.OptionalLong;
import org.opensearch.simhash.fingerprint.SketchKind;

/**
 * The fingerprint that documents are compared with.
 *
 * @param bits the fingerprint; empty for a short text, which matches by digest only
 * @param digest the digest; null if unknown
 * @param scheme the recipe's id; null if unknown, then fingerprints of all schemes are compared
 */
public record Target(OptionalLong bits, String digest, String scheme) implements Print {

    public Target {
        if (bits.isEmpty() && digest == null) {
            throw new IllegalArgumentException("a target needs a fingerprint or a digest, got neither");
        }
    }

    /** A bare fingerprint of unknown scheme. */
    public static Target of(long bits) {
        return new Target(OptionalLong.of(bits), null, null);
    }

    @Override
    public SketchKind kind() {
        return SketchKind.SIMHASH;
    }

    @Override
    public boolean isWhole() {
        return bits.isPresent();
    }

    /** Number of bits in which {@code other} differs. The target must have a fingerprint. */
    int distance(long other) {
        return Long.bitCount(bits.getAsLong() ^ other);
    }
}
