/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.Bits;

/** Delivers the matches of a range in batches. */
final class SimHashBulkScorer extends BulkScorer {

    private final LeafSearch leaf;
    private final LeafMatches matches;
    private final MatchBatch batch = new MatchBatch();
    private final Current current;
    private final LongSupplier cost;

    /** @param cost called only on demand, since it takes half of a short search */
    SimHashBulkScorer(LeafSearch leaf, int maxDistance, SimHashScorer.Scores scores, LongSupplier cost)
            throws IOException {
        this.leaf = leaf;
        this.matches = new LeafMatches(leaf);
        this.current = new Current(scores, maxDistance);
        this.cost = cost;
    }

    @Override
    public int score(LeafCollector collector, Bits acceptDocs, int min, int max) throws IOException {
        collector.setScorer(current);
        int end = Math.min(max, leaf.maxDoc());
        for (int doc = min; doc < end && current.bound >= 0; ) {
            doc = matches.fill(doc, end, current.bound, batch);
            collect(collector, acceptDocs);
        }
        int next = current.bound < 0 ? DocIdSetIterator.NO_MORE_DOCS : matches.next(max);
        return next >= leaf.maxDoc() ? DocIdSetIterator.NO_MORE_DOCS : next;
    }

    private void collect(LeafCollector collector, Bits acceptDocs) throws IOException {
        for (int i = 0; i < batch.size; i++) {
            int doc = batch.docs[i];
            // The collector may tighten the bound within the batch.
            if (batch.distances[i] <= current.bound && (acceptDocs == null || acceptDocs.get(doc))) {
                current.distance = batch.distances[i];
                collector.collect(doc);
            }
        }
    }

    @Override
    public long cost() {
        return cost.getAsLong();
    }

    private static final class Current extends Scorable {

        private final SimHashScorer.Scores scores;
        private int bound;
        private int distance;

        Current(SimHashScorer.Scores scores, int bound) {
            this.scores = scores;
            this.bound = bound;
        }

        @Override
        public float score() {
            return scores.of(distance);
        }

        @Override
        public void setMinCompetitiveScore(float minScore) {
            bound = scores.boundFor(minScore, bound);
        }
    }
}
