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

    /** Score of a distance: {@code boost * (1 - distance / 64)} with 64 bits, and its inverse. Immutable. */
    static final class Scores {

        private final float boost;
        private final float length;

        /** @param length of the fingerprints in bits */
        Scores(float boost, int length) {
            this.boost = boost;
            this.length = length;
        }

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
}
