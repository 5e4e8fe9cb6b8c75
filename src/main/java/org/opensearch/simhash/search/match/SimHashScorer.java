/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.util.Bits;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;

/** Scores by distance, and tightens the bound as the minimum competitive score rises. One thread. */
abstract class SimHashScorer extends Scorer {

    final Scores scores;
    /** Largest competitive distance; -1 if nothing can compete. */
    int bound;

    int distance;

    SimHashScorer(Scores scores, int maxDistance) {
        this.scores = scores;
        this.bound = maxDistance;
    }

    @Override
    public final float score() {
        return scores.of(distance);
    }

    @Override
    public float getMaxScore(int upTo) throws IOException {
        return scores.of(0);
    }

    @Override
    public final void setMinCompetitiveScore(float minScore) {
        bound = scores.boundFor(minScore, bound);
    }

    /** Score of a distance: {@code boost * (1 - distance / 64)} with 64 bits, and its inverse. The length is in bits. */
    record Scores(float boost, float length) {

        float of(int distance) {
            return boost * (1f - distance / length);
        }

        /** The largest distance up to {@code bound} that scores at least {@code minScore}; -1 if none. */
        int boundFor(float minScore, int bound) {
            int distance = bound;
            while (distance >= 0 && of(distance) < minScore) {
                distance--;
            }
            return distance;
        }
    }

    private abstract static class SteppingIterator extends DocIdSetIterator {

        int doc = -1;

        @Override
        public int docID() {
            return doc;
        }

        @Override
        public int nextDoc() throws IOException {
            return advance(doc + 1);
        }
    }

    static final class MatchScorer extends SimHashScorer {

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

        private final class MatchIterator extends SteppingIterator {

            private final long cost;
            private int next;
            private int end;

            MatchIterator(long cost) {
                this.cost = cost;
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

            /** A lower bound of the first match from {@code target} on. {@code target} is not before the current document. */
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

    /**
     * Compares only documents that other clauses of a conjunction propose; for clauses with few documents. A caller that
     * iterates anyway, such as a rescorer, gets its proposals from here and later matches from a search.
     */
    static final class LeadVerification extends SimHashScorer {

        private final LeafSearch leaf;
        private final int maxDistance;
        /** Null if only digests can match. */
        private final StoredFingerprints fingerprints;

        private final DigestMatches digests;
        private final SchemeFilter schemes;
        private final DocIdSetIterator approximation;
        private final TwoPhaseIterator twoPhase;
        /** Null until someone iterates. */
        private Matches matches;

        LeadVerification(LeafSearch leaf, int maxDistance, SimHashScorer.Scores scores) throws IOException {
            super(scores, maxDistance);
            this.leaf = leaf;
            this.maxDistance = maxDistance;
            this.fingerprints = leaf.fingerprints != null ? leaf.openFingerprints() : null;
            this.digests = leaf.openDigests();
            this.schemes = leaf.openSchemes();
            this.approximation = DocIdSetIterator.all(leaf.maxDoc());
            this.twoPhase = new TwoPhaseIterator(approximation) {
                @Override
                public boolean matches() throws IOException {
                    return verify(approximation.docID());
                }

                @Override
                public float matchCost() {
                    return 10; // a random doc value read, xor, bit count
                }
            };
            leaf.effort.plan(LeafEffort.Plan.LEAD);
        }

        private boolean verify(int doc) throws IOException {
            leaf.effort.compared++;
            distance = fingerprints == null ? StoredFingerprints.ABSENT : fingerprints.distance(doc);
            boolean near = distance <= bound && schemes.accepts(doc);
            if ((near == false || distance > 0) && bound >= 0 && digests.contains(doc)) {
                distance = 0;
                near = true;
            }
            leaf.effort.matches += near ? 1 : 0;
            return near;
        }

        @Override
        public int docID() {
            return matches == null ? approximation.docID() : Math.max(approximation.docID(), matches.docID());
        }

        @Override
        public DocIdSetIterator iterator() {
            if (matches == null) {
                matches = new Matches();
            }
            return matches;
        }

        @Override
        public TwoPhaseIterator twoPhaseIterator() {
            return twoPhase;
        }

        /** Comparing up to the next match would be a scan for each proposal that does not match. */
        private final class Matches extends SteppingIterator {

            /** Null until a match must be found that was not proposed. */
            private MatchScorer search;

            @Override
            public int advance(int target) throws IOException {
                doc = target >= leaf.maxDoc() ? NO_MORE_DOCS : verify(target) ? target : find(target + 1);
                return doc;
            }

            private int find(int target) throws IOException {
                if (search == null) {
                    search = new MatchScorer(leaf, maxDistance, scores, cost());
                }
                search.bound = bound;
                int found = search.docID() >= target
                        ? search.docID()
                        : search.iterator().advance(target);
                distance = search.distance;
                return found;
            }

            @Override
            public long cost() {
                return approximation.cost();
            }
        }
    }

    static final class SimHashBulkScorer extends BulkScorer {

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
}
