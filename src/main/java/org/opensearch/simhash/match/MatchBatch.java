/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/** Documents within the distance, ascending, with their distances: what {@link LeafMatches} hands out at a time. */
final class MatchBatch {

    /** Most documents that one source adds to a batch; digest matches may double it. */
    static final int WINDOW = 512;

    /** One place more than matches: where a document is written before it is known to match. */
    int[] docs;

    byte[] distances;
    int size;

    /** Without room for any: most searches find a few, and to clear room for many takes as long as to look one up. */
    MatchBatch() {
        this(0);
    }

    /** @param most documents that are added before it is cleared for others */
    MatchBatch(int most) {
        makeRoom(most);
    }

    /** Empties the batch for at most {@code most} other documents. */
    void clear(int most) {
        if (most >= docs.length) {
            makeRoom(most);
        }
        size = 0;
    }

    private void makeRoom(int most) {
        docs = new int[most + 1];
        distances = new byte[most + 1];
    }

    void add(int doc, int distance) {
        docs[size] = doc;
        distances[size] = (byte) distance;
        size++;
    }
}
