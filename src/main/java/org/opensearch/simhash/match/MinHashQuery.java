/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/**
 * Matches documents whose sketch is similar enough to the target's, and every document with the target's digest.
 *
 * <ul>
 *   <li>Similarity is the expected Jaccard similarity of the texts, or with {@code containment} the expected share of the smaller
 *       text that the larger one has. The score is {@code boost * similarity}.
 *   <li>Candidates are found by the terms of bands, rarest first. A document of the least similarity is missed with a
 *       probability of at most {@value Search#MISSING}, or all bands are looked up. All sketches of a leaf are compared, and none is
 *       missed, if that is cheaper, if some documents of the leaf have no bands, and with {@code containment}: a text inside a
 *       longer one shares few bands with it.
 *   <li>If a document has several sketches, the most similar one counts. If the target's scheme is known, only documents of that
 *       scheme are compared. An equal digest is similarity 1 in any scheme.
 * </ul>
 *
 * <p>Immutable; thread-safe.
 */
public final class MinHashQuery extends PrintQuery {

    private final Search search;

    /**
     * @param minSimilarity 0 to 1
     * @param containment whether the share of the smaller text counts
     * @param listener not part of the query's identity
     */
    public MinHashQuery(
            SketchedFields fields,
            SketchTarget target,
            double minSimilarity,
            boolean containment,
            PrintQuery.Listener listener) {
        super(listener);
        this.search = new Search(fields, target, requireSimilarity(minSimilarity), containment, listener);
    }

    /**
     * Checks a least similarity.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static double requireSimilarity(double minSimilarity) {
        if ((minSimilarity >= 0 && minSimilarity <= 1) == false) {
            throw new IllegalArgumentException("[min_similarity] must be between 0 and 1, got: " + minSimilarity);
        }
        return minSimilarity;
    }

    Search search() {
        return search;
    }

    public SketchedFields fields() {
        return search.fields();
    }

    @Override
    public SketchTarget target() {
        return search.target();
    }

    public double minSimilarity() {
        return search.minSimilarity();
    }

    public boolean isContainment() {
        return search.containment();
    }

    @Override
    String printField() {
        return fields().sketch();
    }

    @Override
    String digestField() {
        return fields().digest();
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
        return new MinHashWeight(this, scoreMode.needsScores() ? boost : 0f);
    }

    @Override
    public boolean equals(Object other) {
        return sameClassAs(other)
                && other instanceof MinHashQuery query
                && fields().equals(query.fields())
                && target().equals(query.target())
                && minSimilarity() == query.minSimilarity()
                && isContainment() == query.isContainment();
    }

    @Override
    public int hashCode() {
        return Objects.hash(classHash(), fields(), target(), minSimilarity(), isContainment());
    }

    @Override
    public String toString(String field) {
        return "minhash(" + fields().sketch() + (isContainment() ? " containment " : " similarity ") + minSimilarity()
                + printed() + ")";
    }

    /** Searches leaves independently, so they may run concurrently. */
    private static final class MinHashWeight extends Weight {

        private final MinHashQuery query;
        private final float boost;

        MinHashWeight(MinHashQuery query, float boost) {
            super(query);
            this.query = query;
            this.boost = boost;
        }

        @Override
        public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
            LeafSketches leaf = LeafSketches.open(context, query.search);
            return leaf == null ? null : new Supplier(leaf);
        }

        @Override
        public Explanation explain(LeafReaderContext context, int doc) throws IOException {
            return new SketchExplanation(query.search, boost, context, doc).explain();
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
                return new SketchScorer(
                        leaf.comparison(), leaf.candidates(leadCost), query.search.minSimilarity(), boost);
            }

            /** Documents to compare. */
            @Override
            public long cost() {
                return leaf.cost();
            }
        }
    }

    /**
     * What a query of sketches looks for in each leaf.
     *
     * @param minSimilarity 0 to 1
     * @param containment whether the share of the smaller text counts
     */
    record Search(
            SketchedFields fields,
            SketchTarget target,
            double minSimilarity,
            boolean containment,
            PrintQuery.Listener listener) {

        /** The probability to miss a document of the least similarity. A smaller value is useless: estimates err more often. */
        static final double MISSING = 1e-5;

        Search {
            Objects.requireNonNull(fields, "fields");
            Objects.requireNonNull(target, "target");
        }
    }
}
