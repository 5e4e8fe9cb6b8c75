/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/** Searches each Lucene leaf on its own; nothing is shared between leaves, so they may be searched concurrently. */
final class SimHashWeight extends Weight {

    private final SimHashQuery query;
    private final Scores scores;
    /** Null when none were planned before. */
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

    /** Depends on nothing but the leaf; small or cheap leaves are left out by the cache's own policy. */
    @Override
    public boolean isCacheable(LeafReaderContext context) {
        return true;
    }
}
