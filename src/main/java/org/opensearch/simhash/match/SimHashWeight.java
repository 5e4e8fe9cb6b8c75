/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/** Searches leaves independently, so they may run concurrently. */
final class SimHashWeight extends Weight {

    private final SimHashQuery query;
    private final Scores scores;
    /** Null if nothing was planned before. */
    private final PlannedLeaves planned;

    SimHashWeight(SimHashQuery query, ScoreMode scoreMode, float boost, PlannedLeaves planned) {
        super(query);
        this.query = query;
        this.scores = new Scores(scoreMode.needsScores() ? boost : 0f);
        this.planned = planned;
    }

    @Override
    public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
        LeafSearch opened = planned == null ? null : planned.take(context);
        LeafSearch leaf = opened == null ? LeafSearch.open(context, query) : opened;
        return leaf == null ? null : new SimHashScorerSupplier(leaf, query, scores);
    }

    @Override
    public Explanation explain(LeafReaderContext context, int doc) throws IOException {
        return new MatchExplanation(query, scores, context, doc).explain();
    }

    /** Depends on the leaf only. The cache's policy skips small or cheap leaves. */
    @Override
    public boolean isCacheable(LeafReaderContext context) {
        return true;
    }
}
