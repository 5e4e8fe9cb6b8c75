/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;

/** Iterates over the matches of a leaf. */
final class MatchScorer extends SimHashScorer {

    private final LeafSearch leaf;
    private final LeafMatches matches;
    private final MatchBatch batch = new MatchBatch();
    private final MatchIterator iterator;
    private int shallow;

    MatchScorer(LeafSearch leaf, int maxDistance, SimHashScorer.Scores scores, long cost) throws IOException {
        super(scores, maxDistance);
        this.leaf = leaf;
        this.matches = new LeafMatches(leaf);
        this.iterator = new MatchIterator(cost);
    }

    @Override
    public int docID() {
        return iterator.docID();
    }

    @Override
    public DocIdSetIterator iterator() {
        return iterator;
    }

    /** A block without matches ends before the next known match; otherwise the leaf is one block. */
    @Override
    public int advanceShallow(int target) throws IOException {
        shallow = target;
        int next = iterator.nextMatch(target);
        return next > target && next != DocIdSetIterator.NO_MORE_DOCS ? next - 1 : DocIdSetIterator.NO_MORE_DOCS;
    }

    @Override
    public float getMaxScore(int upTo) throws IOException {
        return iterator.nextMatch(Math.max(shallow, docID())) > upTo ? 0 : super.getMaxScore(upTo);
    }

    private final class MatchIterator extends DocIdSetIterator {

        private final long cost;
        private int doc = -1;
        private int next;
        private int end;

        MatchIterator(long cost) {
            this.cost = cost;
        }

        @Override
        public int docID() {
            return doc;
        }

        @Override
        public int nextDoc() throws IOException {
            return advance(doc + 1);
        }

        @Override
        public int advance(int target) throws IOException {
            while (true) {
                for (; next < batch.size; next++) {
                    if (batch.docs[next] >= target && batch.distances[next] <= bound) {
                        distance = batch.distances[next];
                        return moveTo(batch.docs[next++]);
                    }
                }
                int from = matches.next(Math.max(target, end));
                if (from >= leaf.maxDoc() || bound < 0) {
                    return moveTo(NO_MORE_DOCS);
                }
                end = matches.fill(from, leaf.maxDoc(), bound, batch);
                next = 0;
            }
        }

        /**
         * A document not after the first match from {@code target} on. {@code target} is not before the current
         * document.
         */
        int nextMatch(int target) throws IOException {
            if (doc >= target) {
                return doc;
            }
            for (int i = next; i < batch.size; i++) {
                if (batch.docs[i] >= target && batch.distances[i] <= bound) {
                    return batch.docs[i];
                }
            }
            return matches.next(Math.max(target, end));
        }

        private int moveTo(int target) {
            doc = target;
            return target;
        }

        @Override
        public long cost() {
            return cost;
        }
    }
}
