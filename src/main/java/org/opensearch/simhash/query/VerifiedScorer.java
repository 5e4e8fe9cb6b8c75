/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.opensearch.simhash.verify.Verdict;

/** Verifies the texts of the documents within the distance, as the last phase. One thread. */
final class VerifiedScorer extends Scorer {

    /** Against a few operations of other phases: a text is read, parsed, cut into tokens. */
    private static final float MATCH_COST = 100_000;

    private final TwoPhaseIterator iterator;
    private final float boost;
    private double similarity;
    private float leastScore;

    VerifiedScorer(Scorer near, CandidateDocuments documents, TextRecord.Effort effort, float boost) {
        this.boost = boost;
        TwoPhaseIterator nearPhases = near.twoPhaseIterator();
        DocIdSetIterator approximation = nearPhases == null ? near.iterator() : nearPhases.approximation();
        this.iterator = new TwoPhaseIterator(approximation) {
            @Override
            public boolean matches() throws IOException {
                // However similar, nobody wants it: its text need not be read.
                if (boost < leastScore || (nearPhases != null && nearPhases.matches() == false)) {
                    return false;
                }
                effort.count();
                Verdict verdict = documents.verify(approximation.docID());
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
    public int docID() {
        return iterator.approximation().docID();
    }

    @Override
    public DocIdSetIterator iterator() {
        return TwoPhaseIterator.asDocIdSetIterator(iterator);
    }

    @Override
    public TwoPhaseIterator twoPhaseIterator() {
        return iterator;
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
