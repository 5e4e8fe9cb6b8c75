/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/**
 * Counts features by their hashes.
 *
 * @param counts of most
 * @param characters of single ideographs and kana; the same where these weigh what others do
 */
record CountedFeatures(FeatureCounts counts, FeatureCounts characters) implements Features {

    @Override
    public void feature(long hash, int size, boolean character) {
        (character ? characters : counts).add(hash);
    }
}
