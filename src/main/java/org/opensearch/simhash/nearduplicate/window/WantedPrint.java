/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import org.opensearch.simhash.nearduplicate.arrival.ArrivedDigest;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedPrint;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedSketch;

/** The parts of a print that a search compares with each entry. Immutable. */
final class WantedPrint {

    final String field;
    final String scheme;
    final boolean hasDigest;
    final long digestHigh;
    final long digestLow;
    final boolean hasBits;
    final long bits;
    /** Null if it is a fingerprint or too short. */
    final ArrivedSketch sketch;

    WantedPrint(ArrivedPrint print) {
        ArrivedDigest digest = print.digest();
        this.field = print.field();
        this.scheme = print.scheme();
        this.hasDigest = digest != null;
        this.digestHigh = digest == null ? 0 : digest.high();
        this.digestLow = digest == null ? 0 : digest.low();
        this.hasBits = print instanceof ArrivedFingerprint fingerprint && fingerprint.hasBits();
        this.bits = print instanceof ArrivedFingerprint fingerprint ? fingerprint.bits() : 0;
        this.sketch = print instanceof ArrivedSketch whole && whole.isWhole() ? whole : null;
    }

    /** Whether it can be compared with prints of a scheme, beyond digests. */
    boolean suits(String other) {
        return scheme == null || scheme.equals(other);
    }
}
