/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/** Searches leaves independently, so they may run concurrently. */
final class MinHashWeight extends Weight {

    private final MinHashQuery query;
    private final float boost;

    MinHashWeight(MinHashQuery query, float boost) {
        super(query);
        this.query = query;
        this.boost = boost;
    }

    @Override
    public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
        LeafSketches leaf = LeafSketches.open(context, query);
        return leaf == null ? null : new Supplier(leaf);
    }

    @Override
    public Explanation explain(LeafReaderContext context, int doc) throws IOException {
        return new SketchExplanation(query, boost, context, doc).explain();
    }

    /** Depends on the leaf only. The cache's policy skips small or cheap leaves. */
    @Override
    public boolean isCacheable(LeafReaderContext context) {
        return true;
    }

    /** Chooses between searching and comparing what a conjunction proposes. */
    private final class Supplier extends ScorerSupplier {

        private final LeafSketches leaf;

        Supplier(LeafSketches leaf) {
            this.leaf = leaf;
        }

        @Override
        public SketchScorer get(long leadCost) throws IOException {
            query.listener().started(leaf.effort());
            return new SketchScorer(leaf.comparison(), leaf.candidates(leadCost), query, boost);
        }

        /** Documents to compare. */
        @Override
        public long cost() {
            return leaf.cost();
        }
    }
}
