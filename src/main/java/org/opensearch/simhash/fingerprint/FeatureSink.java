/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/** Takes the features of a text one after the other, each occurrence of each, with their texts. */
@FunctionalInterface
public interface FeatureSink {

    /**
     * One feature.
     *
     * @param hash by which it votes
     * @param character whether it is one ideograph or kana
     * @param utf8 holds its text, tokens joined by one space, at {@code offset}; valid during the call only
     */
    void feature(long hash, boolean character, byte[] utf8, int offset, int length);
}
