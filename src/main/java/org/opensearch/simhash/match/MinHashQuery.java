/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;

/**
 * Matches documents whose sketch is at least so similar to the target's, and every document with the target's digest.
 *
 * <ul>
 *   <li>Similarity is the Jaccard similarity that two sketches let expect, or with {@code containment} the share of the smaller
 *       text that the larger one has. The score is {@code boost * similarity}.
 *   <li>Candidates are found by the terms of the bands, those with the fewest documents first, until a document of the least similarity is missed
 *       with a probability of no more than {@value #MISSING}, or all bands were looked up. Where that costs more than to compare all
 *       sketches of a Lucene leaf, or a part of the documents has no bands there, all are compared, and none is missed.
 *   <li>A text inside of a longer one shares few bands with it: with {@code containment} all sketches are compared.
 *   <li>A document with several sketches is as similar as its most similar one. Where the target's scheme is known, only documents of
 *       that scheme are compared. An equal digest is similarity 1, whatever the scheme.
 * </ul>
 *
 * <p>Immutable; thread-safe.
 */
public final class MinHashQuery extends Query {

    /** Of more certainty nobody gains: estimates err far more often. */
    static final double MISSING = 1e-5;

    private final SketchedFields fields;
    private final SketchTarget target;
    private final double minSimilarity;
    private final boolean containment;
    private final PlanListener listener;

    /**
     * @param minSimilarity 0 to 1
     * @param containment whether the share of the smaller text counts
     * @param listener told what is done; no part of the query's identity
     */
    public MinHashQuery(
            SketchedFields fields,
            SketchTarget target,
            double minSimilarity,
            boolean containment,
            PlanListener listener) {
        if ((minSimilarity >= 0 && minSimilarity <= 1) == false) {
            throw new IllegalArgumentException("[min_similarity] must be between 0 and 1, got: " + minSimilarity);
        }
        this.fields = Objects.requireNonNull(fields, "fields");
        this.target = Objects.requireNonNull(target, "target");
        this.minSimilarity = minSimilarity;
        this.containment = containment;
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    public SketchedFields fields() {
        return fields;
    }

    public SketchTarget target() {
        return target;
    }

    public double minSimilarity() {
        return minSimilarity;
    }

    public boolean isContainment() {
        return containment;
    }

    /** Told what is done. */
    public PlanListener listener() {
        return listener;
    }

    @Override
    public Query rewrite(IndexSearcher searcher) throws IOException {
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            FieldInfos infos = leaf.reader().getFieldInfos();
            if ((target.sketch() != null && infos.fieldInfo(fields.sketch()) != null)
                    || (target.digest() != null && infos.fieldInfo(fields.digest()) != null)) {
                return super.rewrite(searcher);
            }
        }
        return new MatchNoDocsQuery("no document has a sketch in [" + fields.sketch() + "]");
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
        return new MinHashWeight(this, scoreMode.needsScores() ? boost : 0f);
    }

    @Override
    public void visit(QueryVisitor visitor) {
        if (visitor.acceptField(fields.sketch())) {
            visitor.visitLeaf(this);
        }
    }

    @Override
    public boolean equals(Object other) {
        return sameClassAs(other)
                && other instanceof MinHashQuery query
                && fields.equals(query.fields)
                && target.equals(query.target)
                && minSimilarity == query.minSimilarity
                && containment == query.containment;
    }

    @Override
    public int hashCode() {
        return Objects.hash(classHash(), fields, target, minSimilarity, containment);
    }

    @Override
    public String toString(String field) {
        StringBuilder text = new StringBuilder("minhash(").append(fields.sketch());
        text.append(containment ? " containment " : " similarity ").append(minSimilarity);
        if (target.digest() != null) {
            text.append(" digest ").append(target.digest());
        }
        if (target.scheme() != null) {
            text.append(" scheme ").append(target.scheme());
        }
        return text.append(')').toString();
    }
}
