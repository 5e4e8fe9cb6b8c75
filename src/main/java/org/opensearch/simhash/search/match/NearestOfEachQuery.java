/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.opensearch.simhash.search.match.Print.Target;

/**
 * Matches, for each of many targets, the {@value #KEPT} nearest matches of a {@link SimHashQuery} in each leaf. Ties go
 * to the oldest. Each document comes once, all with one score. Faster than many searches: segment values are read in
 * term order, and all candidates in one pass. Immutable.
 */
public final class NearestOfEachQuery extends Query {

    /** Per target and leaf. */
    public static final int KEPT = LeafNearest.KEPT;

    private final IndexedFields fields;
    private final String ageField;
    private final List<Target> targets;
    private final int maxDistance;

    /**
     * @param ageField numeric doc values, lower for older documents
     * @param maxDistance most differing bits, 0 to 64
     */
    public NearestOfEachQuery(IndexedFields fields, String ageField, List<Target> targets, int maxDistance) {
        this.fields = Objects.requireNonNull(fields, "fields");
        this.ageField = Objects.requireNonNull(ageField, "ageField");
        this.targets = targets.stream().distinct().toList();
        this.maxDistance = maxDistance;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
        return new ConstantScoreWeight(this, boost) {
            @Override
            public ScorerSupplier scorerSupplier(LeafReaderContext context) {
                return new ScorerSupplier() {
                    @Override
                    public Scorer get(long leadCost) throws IOException {
                        LeafNearest leaf = new LeafNearest(context.reader(), fields, ageField, targets, maxDistance);
                        return new ConstantScoreScorer(score(), scoreMode, leaf.find());
                    }

                    @Override
                    public long cost() {
                        return Math.min(context.reader().maxDoc(), targets.size());
                    }
                };
            }

            @Override
            public boolean isCacheable(LeafReaderContext context) {
                return false; // the same targets do not come again
            }
        };
    }

    @Override
    public void visit(QueryVisitor visitor) {
        visitor.visitLeaf(this);
    }

    @Override
    public boolean equals(Object other) {
        return sameClassAs(other)
                && other instanceof NearestOfEachQuery query
                && fields.equals(query.fields)
                && ageField.equals(query.ageField)
                && targets.equals(query.targets)
                && maxDistance == query.maxDistance;
    }

    @Override
    public int hashCode() {
        return Objects.hash(classHash(), fields, ageField, targets, maxDistance);
    }

    @Override
    public String toString(String field) {
        return "nearest of each of " + targets.size() + " fingerprints within " + maxDistance + " bits";
    }
}
