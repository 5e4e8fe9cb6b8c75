/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;

/** Compares every fingerprint, about a nanosecond each. */
final class FingerprintScan implements MatchSource.OnDemand {

    private final StoredFingerprints fingerprints;
    private final LeafEffort effort;

    FingerprintScan(StoredFingerprints fingerprints, LeafEffort effort) {
        this.fingerprints = fingerprints;
        this.effort = effort;
    }

    @Override
    public int fill(int from, int to, int bound, MatchBatch batch) throws IOException {
        int end = Math.min(to, from + MatchBatch.WINDOW);
        fingerprints.scan(from, end, bound, batch);
        effort.scanned += end - from;
        return end;
    }
}
