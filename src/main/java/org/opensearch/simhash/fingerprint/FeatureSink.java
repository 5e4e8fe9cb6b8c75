/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/** Receives each occurrence of each feature of a text. */
@FunctionalInterface
public interface FeatureSink {

    /** @param utf8 the feature, its tokens joined by one space, begins at {@code offset}; valid during the call only */
    void feature(byte[] utf8, int offset, int length);
}
