/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.opensearch.simhash.fingerprint.LongHash;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.match.LeafPlanner.CostModel;
import org.opensearch.simhash.match.SimHashScorer.LeadVerification;
import org.opensearch.simhash.match.SimHashScorer.MatchScorer;
import org.opensearch.simhash.match.SimHashScorer.SimHashBulkScorer;
import org.opensearch.simhash.match.StoredFingerprints.LongFingerprints;

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

    /** Explains a match or its absence. */
    private static final class MatchExplanation {

        private final SimHashQuery.Search query;
        private final SimHashScorer.Scores scores;
        private final LeafReaderContext context;
        private final int doc;
        private final List<Explanation> details = new ArrayList<>();

        MatchExplanation(SimHashQuery.Search query, SimHashScorer.Scores scores, LeafReaderContext context, int doc) {
            this.query = query;
            this.scores = scores;
            this.context = context;
            this.doc = doc;
        }

        Explanation explain() throws IOException {
            LeafSearch leaf = LeafSearch.open(context, query);
            ProbePlan plan = leaf == null ? null : leaf.plan();
            boolean sameScheme = explainScheme();
            Target nearest = query.target().isWhole() ? nearest() : null;
            int distance = StoredFingerprints.ABSENT;
            if (nearest != null) {
                distance = nearest.distance(query.target());
                explainBits(nearest, leaf, plan);
            }
            if (leaf != null) {
                details.add(fact("plan: " + leaf.describe(plan)));
            }
            if (leaf != null && leaf.openDigests().contains(doc)) {
                return match(0, "equal digest " + query.target().digest());
            }
            if (nearest == null) {
                return Explanation.noMatch("no fingerprint to compare, and no equal digest", details);
            }
            String rule = "distance " + distance + " of at most " + query.maxDistance();
            return sameScheme && distance <= query.maxDistance()
                    ? match(distance, rule)
                    : Explanation.noMatch(rule + (sameScheme ? "" : ", but of another scheme"), details);
        }

        private Explanation match(int distance, String why) {
            return Explanation.match(
                    scores.of(distance),
                    why + ", computed as boost * (1 - distance / "
                            + query.target().length() + ") from:",
                    details);
        }

        private boolean explainScheme() throws IOException {
            String scheme = query.target().scheme();
            if (scheme == null) {
                details.add(fact("scheme of the target unknown: compared with every scheme"));
                return true;
            }
            SchemeFilter filter =
                    SchemeFilter.open(context.reader(), query.fields().scheme(), scheme);
            boolean same = filter != null && filter.accepts(doc);
            details.add(fact((same ? "same scheme " : "not of the scheme ") + scheme));
            return same;
        }

        private void explainBits(Target found, LeafSearch leaf, ProbePlan plan) {
            details.add(fact("fingerprint " + found.hex()));
            details.add(fact("differing bits, 0 the least significant: " + found.differingBits(query.target())));
            if (leaf != null && leaf.canProbe()) {
                SegmentLayout layout = leaf.fingerprints().layout();
                List<Integer> hits = new ArrayList<>();
                for (int i = 0; i < layout.count(); i++) {
                    int word = layout.word(i);
                    int radius = plan == null ? 0 : plan.radius(i);
                    if (Long.bitCount(layout.value(
                                    found.word(word) ^ query.target().word(word), i))
                            <= radius) {
                        hits.add(i);
                    }
                }
                String what = plan == null ? "equal segments: " : "segments that hit: ";
                details.add(fact(what + hits + " of " + layout.count()));
            }
        }

        /** The nearest fingerprint of the document; null if it has none. */
        private Target nearest() throws IOException {
            LeafReader reader = context.reader();
            String field = query.fields().bits();
            if (query.target().hash() != null) {
                LongHash hash =
                        new LongFingerprints(reader, field, query.target().hash()).nearestOf(doc);
                return hash == null ? null : Target.of(hash, null);
            }
            SortedNumericDocValues values = DocValues.getSortedNumeric(reader, field);
            if (values.advanceExact(doc) == false) {
                return null;
            }
            long nearest = values.nextValue();
            for (int i = values.docValueCount(); i > 1; i--) {
                long value = values.nextValue();
                if (query.target().distance(value) < query.target().distance(nearest)) {
                    nearest = value;
                }
            }
            return Target.of(nearest);
        }

        private static Explanation fact(String text) {
            return Explanation.match(1, text);
        }
    }

    /**
     * The leaves of a search that were opened and planned for an estimate, so that the search itself does not plan again.
     * Each is taken once, by the thread that planned: Lucene's readers are bound to their thread. About ten kilobytes per
     * leaf.
     */
    public static final class PlannedLeaves {

        private final Thread planner = Thread.currentThread();
        private final List<LeafReaderContext> contexts;
        /** By ordinal; null if nothing can match or it is taken. */
        private final LeafSearch[] leaves;

        private final double nanos;

        private PlannedLeaves(List<LeafReaderContext> contexts, LeafSearch[] leaves, double nanos) {
            this.contexts = contexts;
            this.leaves = leaves;
            this.nanos = nanos;
        }

        /**
         * Plans one leaf after the other.
         *
         * @param enough expected time after which further leaves are not planned
         */
        static PlannedLeaves of(List<LeafReaderContext> contexts, SimHashQuery.Search query, double enough)
                throws IOException {
            LeafSearch[] leaves = new LeafSearch[contexts.size()];
            double nanos = 0;
            for (int i = 0; i < leaves.length && nanos <= enough; i++) {
                leaves[i] = LeafSearch.open(contexts.get(i), query);
                nanos += leaves[i] == null ? 0 : leaves[i].expectedNanos();
            }
            return new PlannedLeaves(contexts, leaves, nanos);
        }

        /** Expected time to find all matches; a lower bound if some leaves are not planned. */
        public double nanos() {
            return nanos;
        }

        /** The leaf, if it is here and not taken; else null. */
        LeafSearch take(LeafReaderContext context) {
            int i = context.ord;
            boolean isMine = planner.equals(Thread.currentThread())
                    && i < leaves.length
                    && contexts.get(i).equals(context);
            if (isMine == false) {
                return null;
            }
            LeafSearch leaf = leaves[i];
            leaves[i] = null;
            return leaf;
        }
    }
}
