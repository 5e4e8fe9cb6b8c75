/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;

/** Compares candidates one by one, and scores them by their similarity. One thread. */
final class SketchScorer extends Scorer {

    /** A random read of 132 bytes, and sixteen xors. */
    private static final float MATCH_COST = 30;

    private final float boost;
    private final TwoPhaseIterator twoPhase;
    private double least;
    private double similarity;

    SketchScorer(SketchComparison comparison, DocIdSetIterator candidates, double minSimilarity, float boost) {
        this.boost = boost;
        this.least = minSimilarity;
        this.twoPhase = new TwoPhaseIterator(candidates) {
            @Override
            public boolean matches() throws IOException {
                similarity = comparison.similarity(approximation.docID(), least);
                return similarity >= 0;
            }

            @Override
            public float matchCost() {
                return MATCH_COST;
            }
        };
    }

    @Override
    public int docID() {
        return twoPhase.approximation().docID();
    }

    @Override
    public DocIdSetIterator iterator() {
        return TwoPhaseIterator.asDocIdSetIterator(twoPhase);
    }

    @Override
    public TwoPhaseIterator twoPhaseIterator() {
        return twoPhase;
    }

    @Override
    public float score() {
        return score(similarity, boost);
    }

    static float score(double similarity, float boost) {
        return boost * (float) similarity;
    }

    /** Skips smaller scores. The bound is a little lower, since scores are rounded. */
    @Override
    public void setMinCompetitiveScore(float minScore) {
        if (boost > 0) {
            least = Math.max(least, minScore / (double) boost - 1e-6);
        }
    }

    @Override
    public float getMaxScore(int upTo) {
        return boost;
    }
}
