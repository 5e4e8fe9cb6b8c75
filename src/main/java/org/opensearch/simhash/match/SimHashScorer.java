/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.search.Scorer;

/** Scores by distance, and tightens the bound as the minimum competitive score rises. One thread. */
abstract class SimHashScorer extends Scorer {

    private final Scores scores;
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
}
