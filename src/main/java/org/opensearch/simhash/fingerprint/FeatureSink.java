/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/** Receives each occurrence of each feature of a text. */
@FunctionalInterface
public interface FeatureSink {

    /** @param utf8 the feature, tokens joined by one space, at {@code offset}; valid during the call */
    void feature(byte[] utf8, int offset, int length);
}
