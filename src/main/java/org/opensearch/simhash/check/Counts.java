/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

/**
 * @param fingerprinted documents with a fingerprint or a sketch
 * @param tooShort documents with only a digest
 * @param without documents with neither
 */
record Counts(long documents, long fingerprinted, long tooShort, long without) {

    static final Counts NONE = new Counts(0, 0, 0, 0);

    Counts plus(Counts other) {
        return new Counts(
                documents + other.documents,
                fingerprinted + other.fingerprinted,
                tooShort + other.tooShort,
                without + other.without);
    }
}
