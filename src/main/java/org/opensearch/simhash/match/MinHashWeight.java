/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/** Searches each Lucene leaf on its own; nothing is shared between leaves, so they may be searched concurrently. */
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

    /** Depends on nothing but the leaf; small or cheap leaves are left out by the cache's own policy. */
    @Override
    public boolean isCacheable(LeafReaderContext context) {
        return true;
    }

    /** Decides between finding the matches and comparing the documents that the rest of a conjunction proposes. */
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

        /** Documents that are compared. */
        @Override
        public long cost() {
            return leaf.cost();
        }
    }
}
