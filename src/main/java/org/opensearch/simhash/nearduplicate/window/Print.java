/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;

/**
 * A fingerprint of the window, taken out of it.
 *
 * @param scheme null where it is not known
 */
record Print(boolean hasBits, long bits, boolean hasDigest, long digestHigh, long digestLow, String scheme) {

    /** As {@link ArrivedFingerprint#distance}, of an arrived fingerprint to this one. */
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
