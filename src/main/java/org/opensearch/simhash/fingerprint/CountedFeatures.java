/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/**
 * Counts features by their hashes.
 *
 * @param characters features of one ideograph or kana; the same table as {@code counts} if they are not damped
 */
record CountedFeatures(FeatureCounts counts, FeatureCounts characters) implements Features {

    @Override
    public void feature(long hash, int size, boolean character) {
        (character ? characters : counts).add(hash);
    }
}
