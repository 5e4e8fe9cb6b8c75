/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/** Receives the features that {@link Shingles} makes, by hash. */
interface Features {

    /** The next token, in the form that is hashed. Its features follow. */
    default void token(byte[] utf8, int offset, int length) {}

    /**
     * A feature that ends with the last token.
     *
     * @param size number of tokens
     * @param kind {@link FeatureKind#RUN} if it has several
     */
    void feature(long hash, int size, FeatureKind kind);

    /** A text ends. */
    default void endText() {}
}
