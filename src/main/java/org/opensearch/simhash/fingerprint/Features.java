/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

/** Takes the features that {@link Shingles} makes, by their hashes. */
interface Features {

    /** The next token, as it is hashed; its features follow. */
    default void token(byte[] utf8, int offset, int length) {}

    /**
     * A feature of the last tokens.
     *
     * @param size number of tokens
     * @param character whether it is one ideograph or kana
     */
    void feature(long hash, int size, boolean character);
}
