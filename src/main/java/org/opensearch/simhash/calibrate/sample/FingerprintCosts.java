/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate.sample;

/** The costs of fingerprints. */
public record FingerprintCosts(SegmentSharing sharing, FingerprintSample some) implements SearchCosts {

    @Override
    public void add(Document document) {
        sharing.add(document);
        some.add(document);
    }

    @Override
    public double candidates(int step) {
        return sharing.candidates(step);
    }

    @Override
    public double joinNanos(int step) {
        return some.joinNanos(step);
    }
}
