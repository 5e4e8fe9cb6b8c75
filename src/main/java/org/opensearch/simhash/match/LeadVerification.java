/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.TwoPhaseIterator;

/**
 * Compares only documents that other clauses of a conjunction propose; for clauses with few documents. A caller that
 * iterates anyway, such as a rescorer, gets its proposals from here and later matches from a search.
 */
final class LeadVerification extends SimHashScorer {

    private final LeafSearch leaf;
    private final SimHashScorer.Scores scores;
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
        this.scores = scores;
        this.maxDistance = maxDistance;
        this.fingerprints = leaf.hasFingerprints() ? leaf.openFingerprints() : null;
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
        leaf.effort().plan(LeafEffort.Plan.LEAD);
    }

    private boolean verify(int doc) throws IOException {
        leaf.effort().compared++;
        distance = fingerprints == null ? StoredFingerprints.ABSENT : fingerprints.distance(doc);
        boolean near = distance <= bound && schemes.accepts(doc);
        if ((near == false || distance > 0) && bound >= 0 && digests.contains(doc)) {
            distance = 0;
            near = true;
        }
        leaf.effort().matches += near ? 1 : 0;
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
    private final class Matches extends DocIdSetIterator {

        private int doc = -1;
        /** Null until a match must be found that was not proposed. */
        private MatchScorer search;

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
