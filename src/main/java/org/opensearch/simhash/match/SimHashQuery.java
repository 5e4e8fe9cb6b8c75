/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
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
 * Matches every document whose fingerprint is within {@code maxDistance} bits of the target's, and every document with the
 * target's digest. Exact: nothing within the distance is missed, nothing beyond it matches, whatever the distance, the
 * number of segments, the distribution of the fingerprints and the mixture of layouts in the index.
 *
 * <ul>
 *   <li>A document with several fingerprints is as near as its nearest.
 *   <li>Where the target's scheme is known, only documents of that scheme are compared.
 *   <li>An equal digest is distance 0, whatever the scheme, and needs no fingerprint (texts too short to have one).
 *   <li>The score is {@code boost * (1 - distance / 64)}.
 * </ul>
 *
 * <p>How the matches are found is chosen per Lucene leaf by cost; it never changes what matches. A search that compares the
 * texts of the matches wraps this query: a two-phase iterator over its scorer reads only texts within the distance. Immutable,
 * but for plans that it may keep for the next search; thread-safe.
 */
public final class SimHashQuery extends Query {

    private final IndexedFields fields;
    private final Target target;
    private final int maxDistance;
    private final PlanListener listener;
    private final CostModel costs;
    /** For the first weight, and no longer than until it is made: a query may be kept for as long as a cache keeps what it found. */
    private final AtomicReference<PlannedLeaves> planned = new AtomicReference<>();

    /**
     * @param maxDistance most bits in which a match may differ, 0 to 64
     * @param listener told what is done; no part of the query's identity
     */
    public SimHashQuery(IndexedFields fields, Target target, int maxDistance, PlanListener listener) {
        this(fields, target, maxDistance, listener, CostModel.MEASURED);
    }

    /** With other costs other plans are chosen, never other matches; no part of the query's identity either. */
    SimHashQuery(IndexedFields fields, Target target, int maxDistance, PlanListener listener, CostModel costs) {
        if (maxDistance < 0 || maxDistance > Long.SIZE) {
            throw new IllegalArgumentException("[max_distance] must be between 0 and 64, got: " + maxDistance);
        }
        this.fields = Objects.requireNonNull(fields, "fields");
        this.target = Objects.requireNonNull(target, "target");
        this.maxDistance = maxDistance;
        this.listener = Objects.requireNonNull(listener, "listener");
        this.costs = Objects.requireNonNull(costs, "costs");
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

    /** Told what is done. */
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
        return new SimHashWeight(this, scoreMode, boost, planned.getAndSet(null));
    }

    /**
     * How long it is expected to take to find all matches, by plans that are made for it.
     *
     * @param enough when it is more, not all leaves are planned: only that it is more is true then
     * @param keepsPlans whether the next search by this query, when it is by the same thread, need not plan once more
     */
    public double expectedNanos(IndexReader reader, double enough, boolean keepsPlans) throws IOException {
        PlannedLeaves leaves = PlannedLeaves.of(reader.leaves(), this, enough);
        if (keepsPlans && leaves.isWhole()) {
            planned.set(leaves);
        }
        return leaves.nanos();
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
