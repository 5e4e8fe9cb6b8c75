/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;

/** Finds the documents of a range within a distance, ascending. One thread, forward only. */
interface MatchSource {

    /**
     * Adds the documents of {@code [from, to)} within {@code bound} bits to the batch, at most {@link #maxAdded}.
     *
     * @return the first document not yet examined; {@code to} at the end
     */
    int fill(int from, int to, int bound, MatchBatch batch) throws IOException;

    /** Most documents added at once, {@link MatchBatch#WINDOW} or less. */
    default int maxAdded() {
        return MatchBatch.WINDOW;
    }

    /** A lower bound of the first match from {@code from} on, to which callers may skip. */
    int next(int from);

    /** A source that searches only when asked. It knows no matches ahead, and a smaller bound still saves work. */
    interface OnDemand extends MatchSource {
        @Override
        default int next(int from) {
            return from;
        }
    }

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
}
