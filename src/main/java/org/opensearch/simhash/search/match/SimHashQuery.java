/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.match.SimHashScorer.LeadVerification;
import org.opensearch.simhash.search.match.SimHashScorer.MatchScorer;
import org.opensearch.simhash.search.match.SimHashScorer.SimHashBulkScorer;
import org.opensearch.simhash.search.match.StoredFingerprints.LongFingerprints;

/**
 * Matches every document whose fingerprint is within {@code maxDistance} bits of the target's, and every document with
 * the target's digest. Exact for any distance, number of segments, distribution and mixture of layouts.
 *
 * <ul>
 *   <li>If a document has several fingerprints, the nearest one counts.
 *   <li>If the target's scheme is known, only documents of that scheme are compared.
 *   <li>An equal digest is distance 0 in any scheme, and needs no fingerprint (short texts have none).
 *   <li>The score is {@code boost * (1 - distance / 64)}, or 256 for hashes of so many bits.
 * </ul>
 *
 * <p>Each leaf is searched in the cheapest way; the result is the same. To compare texts, wrap this query: a two-phase
 * iterator over its scorer reads only texts within the distance. Immutable.
 */
public final class SimHashQuery extends PrintQuery<Target> {

    private final int maxDistance;
    private final CostModel costs;

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
        super(fields, target, listener);
        this.maxDistance = MaxDistance.require(maxDistance, target.length());
        this.costs = Objects.requireNonNull(costs, "costs");
    }

    public int maxDistance() {
        return maxDistance;
    }

    CostModel costs() {
        return costs;
    }

    @Override
    List<?> rule() {
        return List.of(maxDistance);
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
        return new SimHashWeight(scoreMode, boost);
    }

    @Override
    public String toString(String field) {
        String near = target.isWhole() ? " near " + target.hex() : "";
        return "simhash(" + fields.bits() + near + " max_distance " + maxDistance + printed() + ")";
    }

    /** Searches leaves independently, so they may run concurrently. */
    private final class SimHashWeight extends Weight {

        private final SimHashScorer.Scores scores;

        SimHashWeight(ScoreMode scoreMode, float boost) {
            super(SimHashQuery.this);
            this.scores = new SimHashScorer.Scores(scoreMode.needsScores() ? boost : 0f, target.length());
        }

        @Override
        public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
            LeafSearch leaf = LeafSearch.open(context, SimHashQuery.this);
            return leaf == null ? null : supplier(leaf);
        }

        /** Depends on the leaf only. The cache's policy skips small or cheap leaves. */
        @Override
        public boolean isCacheable(LeafReaderContext context) {
            return true;
        }

        /** Chooses between searching and verifying what a conjunction proposes. */
        private ScorerSupplier supplier(LeafSearch leaf) {
            return new ScorerSupplier() {

                private LeafPlanner.Outlook outlook;

                @Override
                public SimHashScorer get(long leadCost) throws IOException {
                    listener().started(leaf.effort);
                    // If fingerprints are the rarest clause, no other clause proposes documents.
                    boolean led = leadCost < cost()
                            && leadCost * costs.verify() < outlook().nanos();
                    return led
                            ? new LeadVerification(leaf, maxDistance, scores)
                            : new MatchScorer(leaf, maxDistance, scores, cost());
                }

                @Override
                public BulkScorer bulkScorer() throws IOException {
                    listener().started(leaf.effort);
                    return new SimHashBulkScorer(leaf, maxDistance, scores, this::cost);
                }

                // Digest matches, plus the candidates of the cheapest plan.
                @Override
                public long cost() {
                    try {
                        return Math.min(
                                leaf.maxDoc(), leaf.digests() + (long) outlook().candidates());
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
            };
        }

        @Override
        public Explanation explain(LeafReaderContext context, int doc) throws IOException {
            List<Explanation> details = new ArrayList<>();
            LeafSearch leaf = LeafSearch.open(context, SimHashQuery.this);
            ProbePlan plan = leaf == null ? null : leaf.plan();
            boolean sameScheme = explainScheme(context, doc, details);
            Target nearest = target.isWhole() ? nearest(context.reader(), doc) : null;
            int distance = StoredFingerprints.ABSENT;
            if (nearest != null) {
                distance = nearest.distance(target);
                explainBits(nearest, leaf, plan, details);
            }
            if (leaf != null) {
                details.add(fact("plan: " + leaf.describe(plan)));
            }
            if (leaf != null && leaf.openDigests().contains(doc)) {
                return match(0, "equal digest " + target.digest(), details);
            }
            if (nearest == null) {
                return Explanation.noMatch("no fingerprint to compare, and no equal digest", details);
            }
            String rule = "distance " + distance + " of at most " + maxDistance;
            return sameScheme && distance <= maxDistance
                    ? match(distance, rule, details)
                    : Explanation.noMatch(rule + (sameScheme ? "" : ", but of another scheme"), details);
        }

        private Explanation match(int distance, String why, List<Explanation> details) {
            return Explanation.match(
                    scores.of(distance),
                    why + ", computed as boost * (1 - distance / " + target.length() + ") from:",
                    details);
        }

        private void explainBits(Target found, LeafSearch leaf, ProbePlan plan, List<Explanation> details) {
            details.add(fact("fingerprint " + found.hex()));
            details.add(fact("differing bits, 0 the least significant: " + found.differingBits(target)));
            if (leaf != null && leaf.canProbe()) {
                SegmentLayout layout = leaf.fingerprints.layout();
                List<Integer> hits = new ArrayList<>();
                for (int i = 0; i < layout.count(); i++) {
                    int word = layout.word(i);
                    int radius = plan == null ? 0 : plan.radius(i);
                    if (Long.bitCount(layout.value(found.word(word) ^ target.word(word), i)) <= radius) {
                        hits.add(i);
                    }
                }
                String what = plan == null ? "equal segments: " : "segments that hit: ";
                details.add(fact(what + hits + " of " + layout.count()));
            }
        }

        /** The nearest fingerprint of the document; null if it has none. */
        private Target nearest(LeafReader reader, int doc) throws IOException {
            String field = fields.bits();
            if (target.hash() != null) {
                LongHash hash = new LongFingerprints(reader, field, target.hash()).nearestOf(doc);
                return hash == null ? null : Target.of(hash, null);
            }
            SortedNumericDocValues values = DocValues.getSortedNumeric(reader, field);
            if (values.advanceExact(doc) == false) {
                return null;
            }
            long nearest = values.nextValue();
            for (int i = values.docValueCount(); i > 1; i--) {
                long value = values.nextValue();
                if (target.distance(value) < target.distance(nearest)) {
                    nearest = value;
                }
            }
            return Target.of(nearest);
        }
    }
}
