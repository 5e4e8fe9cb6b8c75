/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.HexFormat;
import java.util.Objects;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;

/**
 * Matches every document whose fingerprint is within {@code maxDistance} bits of the target's, and every document with
 * the target's digest. Exact for any distance, number of segments, distribution and mixture of layouts.
 *
 * <ul>
 *   <li>If a document has several fingerprints, the nearest one counts.
 *   <li>If the target's scheme is known, only documents of that scheme are compared.
 *   <li>An equal digest is distance 0 in any scheme, and needs no fingerprint (short texts have none).
 *   <li>The score is {@code boost * (1 - distance / 64)}.
 * </ul>
 *
 * <p>Each leaf is searched in the cheapest way; the result is the same. To compare texts, wrap this query: a two-phase
 * iterator over its scorer reads only texts within the distance. Immutable.
 */
public final class SimHashQuery extends Query {

    private final IndexedFields fields;
    private final Target target;
    private final int maxDistance;
    private final PlanListener listener;
    private final CostModel costs;
    /** For the next search, or null. Not part of the identity. */
    private final PlannedLeaves plans;

    /**
     * @param maxDistance most differing bits, 0 to 64
     * @param listener not part of the query's identity
     */
    public SimHashQuery(IndexedFields fields, Target target, int maxDistance, PlanListener listener) {
        this(fields, target, maxDistance, listener, CostModel.MEASURED);
    }

    /** Other costs give other plans, never other matches. They are not part of the identity. */
    SimHashQuery(IndexedFields fields, Target target, int maxDistance, PlanListener listener, CostModel costs) {
        this(fields, target, maxDistance, listener, costs, null);
    }

    private SimHashQuery(
            IndexedFields fields,
            Target target,
            int maxDistance,
            PlanListener listener,
            CostModel costs,
            PlannedLeaves plans) {
        this.fields = Objects.requireNonNull(fields, "fields");
        this.target = Objects.requireNonNull(target, "target");
        this.maxDistance = MaxDistance.require(maxDistance);
        this.listener = Objects.requireNonNull(listener, "listener");
        this.costs = Objects.requireNonNull(costs, "costs");
        this.plans = plans;
    }

    public IndexedFields fields() {
        return fields;
    }

    public Target target() {
        return target;
    }

    public int maxDistance() {
        return maxDistance;
    }

    public PlanListener listener() {
        return listener;
    }

    CostModel costs() {
        return costs;
    }

    @Override
    public Query rewrite(IndexSearcher searcher) throws IOException {
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            FieldInfos infos = leaf.reader().getFieldInfos();
            FieldInfo matchable = target.bits().isPresent() ? infos.fieldInfo(fields.bits()) : null;
            if (matchable != null || (target.digest() != null && infos.fieldInfo(fields.digest()) != null)) {
                return super.rewrite(searcher);
            }
        }
        return new MatchNoDocsQuery("no document has a fingerprint in [" + fields.bits() + "]");
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
        // A cache may keep the weight's query for long.
        SimHashQuery query = plans == null ? this : with(null);
        return new SimHashWeight(query, scoreMode, boost, plans);
    }

    /**
     * Opens and plans the leaves for a search by this thread.
     *
     * @param enough expected time after which further leaves are not planned
     */
    public PlannedLeaves plan(IndexReader reader, double enough) throws IOException {
        return PlannedLeaves.of(reader.leaves(), this, enough);
    }

    /** The same query, which searches by these plans once. */
    public SimHashQuery with(PlannedLeaves newPlans) {
        return new SimHashQuery(fields, target, maxDistance, listener, costs, newPlans);
    }

    @Override
    public void visit(QueryVisitor visitor) {
        if (visitor.acceptField(fields.bits())) {
            visitor.visitLeaf(this);
        }
    }

    @Override
    public boolean equals(Object other) {
        return sameClassAs(other)
                && other instanceof SimHashQuery query
                && fields.equals(query.fields)
                && target.equals(query.target)
                && maxDistance == query.maxDistance;
    }

    @Override
    public int hashCode() {
        return Objects.hash(classHash(), fields, target, maxDistance);
    }

    @Override
    public String toString(String field) {
        StringBuilder text = new StringBuilder("simhash(").append(fields.bits());
        target.bits()
                .ifPresent(bits -> text.append(" near ").append(HexFormat.of().toHexDigits(bits)));
        text.append(" max_distance ").append(maxDistance);
        if (target.digest() != null) {
            text.append(" digest ").append(target.digest());
        }
        if (target.scheme() != null) {
            text.append(" scheme ").append(target.scheme());
        }
        return text.append(')').toString();
    }
}
