/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.util.HexFormat;
import org.opensearch.simhash.core.fingerprint.Fingerprint;

/** A digest as two numbers. */
public record ArrivedDigest(long high, long low) {

    /** @param hex 32 digits, or null */
    static ArrivedDigest of(String hex) {
        return hex == null
                ? null
                : new ArrivedDigest(
                        HexFormat.fromHexDigitsToLong(hex, 0, 16),
                        HexFormat.fromHexDigitsToLong(hex, 16, Fingerprint.DIGEST_LENGTH));
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
