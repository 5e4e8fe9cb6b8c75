/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/** Documents within the distance, ascending, with their distances: what {@link LeafMatches} hands out at a time. */
final class MatchBatch {

    /** Most documents that one source adds to a batch; digest matches may double it. */
    static final int WINDOW = 512;

    /** One place more than matches: where a document is written before it is known to match. */
    final int[] docs = new int[2 * WINDOW + 1];

    final byte[] distances = new byte[2 * WINDOW + 1];
    int size;

    void add(int doc, int distance) {
        docs[size] = doc;
        distances[size] = (byte) distance;
        size++;
    }
}
