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

    /** @param most documents before the next clear */
    MatchBatch(int most) {
        makeRoom(most);
    }

    /** Empties the batch and makes room for {@code most} documents. */
    void clear(int most) {
        if (most >= docs.length) {
            makeRoom(most);
        }
        size = 0;
    }

    private void makeRoom(int most) {
        docs = new int[most + 1];
        distances = new short[most + 1];
    }

    void add(int doc, int distance) {
        docs[size] = doc;
        distances[size] = (short) distance;
        size++;
    }
}
