/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.TwoPhaseIterator;

/** Compares only documents that other clauses propose: for conjunctions whose other clauses have few documents. */
final class LeadVerification extends SimHashScorer {

    private final LeafSearch leaf;
    /** Null when only digests can match. */
    private final StoredFingerprints fingerprints;

    private final DigestMatches digests;
    private final SchemeFilter schemes;
    private final DocIdSetIterator approximation;
    private final TwoPhaseIterator twoPhase;

    LeadVerification(LeafSearch leaf, int maxDistance, Scores scores) throws IOException {
        super(scores, maxDistance);
        this.leaf = leaf;
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
                return 10; // a random read of a doc value, exclusive or, population count
            }
        };
        leaf.effort().plan(LeafEffort.Plan.LEAD);
    }

    /** The distance of a document that was not passed yet, or -1 when it does not match; looks at no other. */
    int distanceOf(int doc) throws IOException {
        return verify(doc) ? distance : -1;
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
        return approximation.docID();
    }

    @Override
    public DocIdSetIterator iterator() {
        return TwoPhaseIterator.asDocIdSetIterator(twoPhase);
    }

    @Override
    public TwoPhaseIterator twoPhaseIterator() {
        return twoPhase;
    }
}
