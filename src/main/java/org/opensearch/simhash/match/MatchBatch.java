/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/** Matches in ascending order, with distances: the unit in which {@link LeafMatches} delivers. */
final class MatchBatch {

    /** Most documents that one source adds. Digest matches may double it. */
    static final int WINDOW = 512;

    /** One longer than the matches: a document is written before it is known to match. */
    int[] docs;

    short[] distances;
    int size;

    /** Without room: most searches find few, and clearing a full batch costs a look-up. */
    MatchBatch() {
        this(0);
    }

    /** @param documents at most, before the next clear */
    MatchBatch(int documents) {
        makeRoom(documents);
    }

    /** Empties the batch and makes room for {@code documents} documents. */
    void clear(int documents) {
        if (documents >= docs.length) {
            makeRoom(documents);
        }
        size = 0;
    }

    private void makeRoom(int documents) {
        docs = new int[documents + 1];
        distances = new short[documents + 1];
    }

    void add(int doc, int distance) {
        docs[size] = doc;
        distances[size] = (short) distance;
        size++;
    }
}
