/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.opensearch.simhash.verify.Verdict;

/** Verifies the texts of documents within the distance, as the last phase. One thread. */
final class VerifiedScorer extends Scorer {

    /** Other phases take a few operations. This one reads, parses and analyzes a text. */
    private static final float MATCH_COST = 100_000;

    private final Scorer near;
    private final CandidateDocuments documents;
    private final AtomicLong verified;
    private final float boost;
    private double similarity;
    private float leastScore;

    VerifiedScorer(Scorer near, CandidateDocuments documents, AtomicLong verified, float boost) {
        this.near = near;
        this.documents = documents;
        this.verified = verified;
        this.boost = boost;
    }

    @Override
    public int docID() {
        return near.docID();
    }

    /** Iterates over near documents, not over all candidates. */
    @Override
    public DocIdSetIterator iterator() {
        return TwoPhaseIterator.asDocIdSetIterator(texts(near.iterator(), null));
    }

    @Override
    public TwoPhaseIterator twoPhaseIterator() {
        TwoPhaseIterator nearPhases = near.twoPhaseIterator();
        return nearPhases == null ? texts(near.iterator(), null) : texts(nearPhases.approximation(), nearPhases);
    }

    /** @param nearPhases says whether a candidate is near; null if all of them are */
    private TwoPhaseIterator texts(DocIdSetIterator candidates, TwoPhaseIterator nearPhases) {
        return new TwoPhaseIterator(candidates) {
            @Override
            public boolean matches() throws IOException {
                // The score is at most the boost, so that the document cannot compete.
                if (boost < leastScore || (nearPhases != null && nearPhases.matches() == false)) {
                    return false;
                }
                verified.incrementAndGet();
                Verdict verdict = documents.verify(candidates.docID());
                similarity = verdict.similarity();
                return verdict.isSimilar();
            }

            @Override
            public float matchCost() {
                return MATCH_COST;
            }
        };
    }

    @Override
    public float score() {
        return (float) (boost * similarity);
    }

    @Override
    public void setMinCompetitiveScore(float minScore) {
        leastScore = minScore;
    }

    @Override
    public float getMaxScore(int upTo) {
        return boost;
    }
}
