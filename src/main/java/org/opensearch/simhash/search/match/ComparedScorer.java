/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;

/** Scores candidates by a comparison of each, as the last phase. One thread. */
public final class ComparedScorer extends Scorer {

    public static final float NO_MATCH = -1;

    /** Other phases take a few operations. This one reads, parses and analyzes a text. */
    public static final float TEXT_COST = 100_000;

    private final Scorer candidates;
    private final float most;
    private final float matchCost;
    private final Comparison comparison;
    private float least;
    private float score;

    @FunctionalInterface
    public interface Comparison {

        /**
         * The score, or {@link #NO_MATCH}.
         *
         * @param least a smaller score can no longer compete, and may be no match
         */
        float score(int doc, float least) throws IOException;
    }

    /**
     * @param most no score is greater
     * @param matchCost of a comparison, in simple operations
     */
    public ComparedScorer(Scorer candidates, float most, float matchCost, Comparison comparison) {
        this.candidates = candidates;
        this.most = most;
        this.matchCost = matchCost;
        this.comparison = comparison;
    }

    ComparedScorer(DocIdSetIterator candidates, float most, float matchCost, Comparison comparison) {
        this(new ConstantScoreScorer(0, ScoreMode.COMPLETE_NO_SCORES, candidates), most, matchCost, comparison);
    }

    @Override
    public int docID() {
        return candidates.docID();
    }

    /** Iterates over what matches in earlier phases. */
    @Override
    public DocIdSetIterator iterator() {
        return TwoPhaseIterator.asDocIdSetIterator(phases(candidates.iterator(), null));
    }

    @Override
    public TwoPhaseIterator twoPhaseIterator() {
        TwoPhaseIterator earlier = candidates.twoPhaseIterator();
        return earlier == null ? phases(candidates.iterator(), null) : phases(earlier.approximation(), earlier);
    }

    /** @param earlier null if all match in earlier phases */
    private TwoPhaseIterator phases(DocIdSetIterator all, TwoPhaseIterator earlier) {
        return new TwoPhaseIterator(all) {
            @Override
            public boolean matches() throws IOException {
                if (most < least || (earlier != null && earlier.matches() == false)) {
                    return false;
                }
                score = comparison.score(all.docID(), least);
                return score >= 0;
            }

            @Override
            public float matchCost() {
                return matchCost;
            }
        };
    }

    @Override
    public float score() {
        return score;
    }

    /** Enough where many documents equal what is sought. */
    @Override
    public void setMinCompetitiveScore(float minScore) {
        least = minScore;
    }

    @Override
    public float getMaxScore(int upTo) {
        return most;
    }
}
