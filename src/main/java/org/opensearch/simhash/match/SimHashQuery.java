/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/**
 * Matches every document whose fingerprint is within {@code maxDistance} bits of the target's, and every document with
 * the target's digest. Exact for any distance, number of segments, distribution and mixture of layouts.
 *
 * <ul>
 *   <li>If a document has several fingerprints, the nearest one counts.
 *   <li>If the target's scheme is known, only documents of that scheme are compared.
 *   <li>An equal digest is distance 0 in any scheme, and needs no fingerprint (short texts have none).
 *   <li>The score is {@code boost * (1 - distance / 64)}, or 128 or 256 for hashes of so many bits.
 * </ul>
 *
 * <p>Each leaf is searched in the cheapest way; the result is the same. To compare texts, wrap this query: a two-phase
 * iterator over its scorer reads only texts within the distance. Immutable.
 */
public final class SimHashQuery extends PrintQuery {

    private final Search search;
    /** For the next search, or null. Not part of the identity. */
    private final PlannedLeaves plans;

    /**
     * @param fields with those of the target's length
     * @param maxDistance most differing bits, 0 to the target's length
     * @param listener not part of the query's identity
     */
    public SimHashQuery(IndexedFields fields, Target target, int maxDistance, PrintQuery.Listener listener) {
        this(fields, target, maxDistance, listener, CostModel.of(target.length()));
    }

    /** Other costs give other plans, never other matches. They are not part of the identity. */
    SimHashQuery(IndexedFields fields, Target target, int maxDistance, PrintQuery.Listener listener, CostModel costs) {
        this(new Search(fields, target, maxDistance, listener, costs), null);
    }

    private SimHashQuery(Search search, PlannedLeaves plans) {
        super(search.listener());
        this.search = search;
        this.plans = plans;
    }

    Search search() {
        return search;
    }

    public IndexedFields fields() {
        return search.fields();
    }

    @Override
    public Target target() {
        return search.target();
    }

    public int maxDistance() {
        return search.maxDistance();
    }

    @Override
    String printField() {
        return fields().bits();
    }

    @Override
    String digestField() {
        return fields().digest();
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
        return PlannedLeaves.of(reader.leaves(), search, enough);
    }

    /** The same query, which searches by these plans once. */
    public SimHashQuery with(PlannedLeaves newPlans) {
        return new SimHashQuery(search, newPlans);
    }

    @Override
    public boolean equals(Object other) {
        return sameClassAs(other)
                && other instanceof SimHashQuery query
                && fields().equals(query.fields())
                && target().equals(query.target())
                && maxDistance() == query.maxDistance();
    }

    @Override
    public int hashCode() {
        return Objects.hash(classHash(), fields(), target(), maxDistance());
    }

    @Override
    public String toString(String field) {
        StringBuilder text = new StringBuilder("simhash(").append(fields().bits());
        if (target().isWhole()) {
            text.append(" near ").append(target().hex());
        }
        return text.append(" max_distance ")
                .append(maxDistance())
                .append(printed())
                .append(')')
                .toString();
    }

    /** Searches leaves independently, so they may run concurrently. */
    private static final class SimHashWeight extends Weight {

        private final SimHashQuery query;
        private final SimHashScorer.Scores scores;
        /** Null if nothing was planned before. */
        private final PlannedLeaves planned;

        SimHashWeight(SimHashQuery query, ScoreMode scoreMode, float boost, PlannedLeaves planned) {
            super(query);
            this.query = query;
            this.scores = new SimHashScorer.Scores(
                    scoreMode.needsScores() ? boost : 0f, query.target().length());
            this.planned = planned;
        }

        @Override
        public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
            LeafSearch opened = planned == null ? null : planned.take(context);
            LeafSearch leaf = opened == null ? LeafSearch.open(context, query.search) : opened;
            return leaf == null ? null : new SimHashScorerSupplier(leaf, query, scores);
        }

        @Override
        public Explanation explain(LeafReaderContext context, int doc) throws IOException {
            return new MatchExplanation(query.search, scores, context, doc).explain();
        }

        /** Depends on the leaf only. The cache's policy skips small or cheap leaves. */
        @Override
        public boolean isCacheable(LeafReaderContext context) {
            return true;
        }
    }

    /** Chooses between searching and verifying what a conjunction proposes. */
    private static final class SimHashScorerSupplier extends ScorerSupplier {

        private final LeafSearch leaf;
        private final SimHashQuery query;
        private final SimHashScorer.Scores scores;
        private LeafPlanner.Outlook outlook;

        SimHashScorerSupplier(LeafSearch leaf, SimHashQuery query, SimHashScorer.Scores scores) {
            this.leaf = leaf;
            this.query = query;
            this.scores = scores;
        }

        @Override
        public SimHashScorer get(long leadCost) throws IOException {
            query.listener().started(leaf.effort());
            // If fingerprints are the rarest clause, no other clause proposes documents.
            boolean led = leadCost < cost()
                    && leadCost * query.search.costs().verify() < outlook().nanos();
            return led
                    ? new LeadVerification(leaf, query.maxDistance(), scores)
                    : new MatchScorer(leaf, query.maxDistance(), scores, cost());
        }

        @Override
        public BulkScorer bulkScorer() throws IOException {
            query.listener().started(leaf.effort());
            return new SimHashBulkScorer(leaf, query.maxDistance(), scores, this::cost);
        }

        /** Digest matches, plus the candidates of the cheapest plan. */
        @Override
        public long cost() {
            try {
                return Math.min(leaf.maxDoc(), leaf.digests() + (long) outlook().candidates());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private LeafPlanner.Outlook outlook() throws IOException {
            if (outlook == null) {
                outlook = leaf.outlook();
            }
            return outlook;
        }
    }

    /**
     * What a query of fingerprints looks for in each leaf.
     *
     * @param maxDistance most differing bits, 0 to 64
     * @param costs other costs give other plans, never other matches
     */
    record Search(IndexedFields fields, Target target, int maxDistance, PrintQuery.Listener listener, CostModel costs) {

        Search {
            Objects.requireNonNull(fields, "fields");
            Objects.requireNonNull(target, "target");
            MaxDistance.require(maxDistance, target.length());
            Objects.requireNonNull(costs, "costs");
        }
    }
}
