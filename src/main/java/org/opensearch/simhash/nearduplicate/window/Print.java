/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;

/**
 * A copy of a fingerprint in the window.
 *
 * @param scheme null if unknown
 */
record Print(boolean hasBits, long bits, boolean hasDigest, long digestHigh, long digestLow, String scheme) {

    /** As {@link ArrivedFingerprint#distance}, from an arriving document to this one. */
    int distance(ArrivedFingerprint arrived) {
        if (hasDigest
                && arrived.hasDigest()
                && digestLow == arrived.digestLow()
                && digestHigh == arrived.digestHigh()) {
            return 0;
        }
        return hasBits
                        && arrived.hasBits()
                        && (arrived.scheme() == null || arrived.scheme().equals(scheme))
                ? Long.bitCount(bits ^ arrived.bits())
                : ArrivedFingerprint.INCOMPARABLE;
    }
}
