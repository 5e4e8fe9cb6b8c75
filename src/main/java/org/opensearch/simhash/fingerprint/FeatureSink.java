/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/** Takes the features of a text one after the other, each occurrence of each. */
@FunctionalInterface
public interface FeatureSink {

    /** @param utf8 holds the feature, its tokens joined by one space, at {@code offset}; valid during the call only */
    void feature(byte[] utf8, int offset, int length);
}
