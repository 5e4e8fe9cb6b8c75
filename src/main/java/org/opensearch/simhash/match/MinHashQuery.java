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
public final class MinHashQuery extends Query {

    /** A smaller value is useless: estimates err more often. */
    static final double MISSING = 1e-5;

    private final SketchedFields fields;
    private final SketchTarget target;
    private final double minSimilarity;
    private final boolean containment;
    private final PlanListener listener;

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
            PlanListener listener) {
        this.fields = Objects.requireNonNull(fields, "fields");
        this.target = Objects.requireNonNull(target, "target");
        this.minSimilarity = requireSimilarity(minSimilarity);
        this.containment = containment;
        this.listener = Objects.requireNonNull(listener, "listener");
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
