/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.match.Print.SketchTarget;

/**
 * Matches documents whose sketch is similar enough to the target's, and every document with the target's digest.
 *
 * <ul>
 *   <li>Similarity is the expected Jaccard similarity of the texts, or with {@code containment} the expected share of the smaller
 *       text that the larger one has. The score is {@code boost * similarity}.
 *   <li>Candidates are found by the terms of bands, rarest first. A document of the least similarity is missed with a
 *       probability of at most {@value #MISSING}, or all bands are looked up. All sketches of a leaf are compared, and none is
 *       missed, if that is cheaper, if some documents of the leaf have no bands, and with {@code containment}: a text inside a
 *       longer one shares few bands with it.
 *   <li>If a document has several sketches, the most similar one counts. If the target's scheme is known, only documents of that
 *       scheme are compared. An equal digest is similarity 1 in any scheme.
 * </ul>
 *
 * <p>Immutable; thread-safe.
 */
public final class MinHashQuery extends PrintQuery<SketchTarget> {

    /** The probability to miss a document of the least similarity. A smaller value is useless: estimates err more often. */
    static final double MISSING = 1e-5;

    /** A random read of 132 bytes, and sixteen xors. */
    private static final float MATCH_COST = 30;

    private final double minSimilarity;
    private final boolean containment;

    /**
     * @param minSimilarity 0 to 1
     * @param containment whether the share of the smaller text counts
     * @param listener not part of the query's identity
     */
    public MinHashQuery(
            IndexedFields fields,
            SketchTarget target,
            double minSimilarity,
            boolean containment,
            PrintQuery.Listener listener) {
        super(fields, target, listener);
        this.minSimilarity = Sketch.requireSimilarity(minSimilarity);
        this.containment = containment;
    }

    public double minSimilarity() {
        return minSimilarity;
    }

    public boolean isContainment() {
        return containment;
    }

    @Override
    List<?> rule() {
        return List.of(minSimilarity, containment);
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
        return new MinHashWeight(scoreMode.needsScores() ? boost : 0f);
    }

    @Override
    public String toString(String field) {
        return "minhash(" + fields.bits() + (containment ? " containment " : " similarity ") + minSimilarity + printed()
                + ")";
    }

    /** Searches leaves independently, so they may run concurrently. */
    private final class MinHashWeight extends Weight {

        private final float boost;

        MinHashWeight(float boost) {
            super(MinHashQuery.this);
            this.boost = boost;
        }

        @Override
        public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
            LeafSketches leaf = LeafSketches.open(context, MinHashQuery.this);
            if (leaf == null) {
                return null;
            }
            return new ScorerSupplier() {
                @Override
                public ComparedScorer get(long leadCost) throws IOException {
                    listener().started(leaf.effort);
                    SketchComparison sketches = leaf.comparison(leadCost);
                    return new ComparedScorer(
                            leaf.candidates(leadCost),
                            boost,
                            MATCH_COST,
                            (doc, least) -> score(sketches.similarity(doc, leastSimilarity(least))));
                }

                @Override
                public long cost() {
                    return leaf.cost();
                }
            };
        }

        @Override
        public Explanation explain(LeafReaderContext context, int doc) throws IOException {
            LeafSketches leaf = LeafSketches.open(context, MinHashQuery.this);
            if (leaf == null) {
                return Explanation.noMatch("no sketch to compare, and no equal digest");
            }
            double similarity = leaf.comparison().similarity(doc, SketchComparison.NONE);
            boolean isCandidate = leaf.candidates(Long.MAX_VALUE).advance(doc) == doc;
            List<Explanation> details = new ArrayList<>();
            explainScheme(context, doc, details);
            int shared = explainBands(context, doc, details);
            details.add(fact("plan: " + leaf.describe()));
            if (leaf.bands() > 0) {
                double recall = target.layout().recall(minSimilarity, leaf.bands());
                details.add(fact(String.format(
                        Locale.ROOT,
                        "recall: %.5f, the probability that a document of similarity %s shares one of these bands",
                        recall,
                        minSimilarity)));
            }
            if (similarity < 0) {
                return Explanation.noMatch("no sketch of the scheme to compare, and no equal digest", details);
            }
            String rule = (containment ? "containment " : "similarity ") + similarity + " of at least " + minSimilarity
                    + ", estimated";
            if (similarity < minSimilarity) {
                return Explanation.noMatch(rule, details);
            }
            if (isCandidate == false) {
                return Explanation.noMatch(
                        rule + ", but missed: it shares " + shared + " bands, none that is looked up", details);
            }
            return Explanation.match(
                    boost * (float) similarity, rule + ", computed as boost * similarity from:", details);
        }

        private int explainBands(LeafReaderContext context, int doc, List<Explanation> details) throws IOException {
            BandLayout layout = target.layout();
            if (layout == null) {
                return 0;
            }
            List<String> shared = new ArrayList<>();
            for (String term : layout.terms(target.sketch())) {
                TermsEnum found = SchemeFilter.seek(context.reader(), fields.segment(0), term);
                if (found != null && found.postings(null, PostingsEnum.NONE).advance(doc) == doc) {
                    shared.add(term);
                }
            }
            details.add(fact("equal bands: " + shared.size() + " of " + layout.bands() + " " + shared));
            return shared.size();
        }

        /** Depends on the leaf only. The cache's policy skips small or cheap leaves. */
        @Override
        public boolean isCacheable(LeafReaderContext context) {
            return true;
        }

        private float score(double similarity) {
            return similarity < 0 ? ComparedScorer.NO_MATCH : boost * (float) similarity;
        }

        /** A little lower than that of the score, since scores are rounded. */
        private double leastSimilarity(float score) {
            return score > 0 && boost > 0 ? Math.max(minSimilarity, score / (double) boost - 1e-6) : minSimilarity;
        }
    }

    /** The best similarity of each document of a leaf to several queries, in ascending document order. One thread. */
    public static final class SimilarDocuments {

        private record Part(SketchComparison comparison, double least) {}

        private final List<Part> parts = new ArrayList<>();

        /** @param queries the best one counts */
        public SimilarDocuments(LeafReaderContext leaf, List<MinHashQuery> queries) throws IOException {
            for (MinHashQuery query : queries) {
                LeafSketches sketches = LeafSketches.open(leaf, query);
                if (sketches != null) {
                    parts.add(new Part(sketches.comparison(), query.minSimilarity()));
                }
            }
        }

        /** The estimate; empty if it is below the query's minimum. */
        public OptionalDouble similarity(int doc) throws IOException {
            double highest = SketchComparison.NONE;
            for (Part part : parts) {
                highest = Math.max(highest, part.comparison.similarity(doc, part.least));
            }
            return highest < 0 ? OptionalDouble.empty() : OptionalDouble.of(highest);
        }
    }
}
