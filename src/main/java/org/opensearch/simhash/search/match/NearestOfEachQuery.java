/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.Print.Target;

/**
 * Matches, for each of many targets, the {@value #KEPT} nearest matches of a {@link SimHashQuery} in each leaf. Ties go
 * to the oldest. Each document comes once, all with one score. Faster than many searches: segment values are read in
 * term order, and all candidates in one pass. Immutable.
 */
public final class NearestOfEachQuery extends Query {

    public static final int KEPT = 4;

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

    /**
     * Finds the documents of one leaf that are nearest to each of many targets, by shared segment values or by a scan,
     * whichever is cheaper. One thread, one use.
     */
    static final class LeafNearest {

        /** Cost of each target after the first in a scan, which reads a doc value once for all. */
        private static final double FURTHER_TARGET = 0.5;

        /** Larger rings are not looked up: the values of all targets are in memory. */
        private static final int LARGEST_RING = 1 << 11;

        private static final CostModel COSTS = CostModel.MEASURED;

        /** Comparisons between two checks: some hundred microseconds. */
        private static final int COMPARISONS_PER_CHECK = 1 << 19;

        private final LeafReader reader;
        private final Cancellation cancellation;
        private final Bits live;
        private final IndexedFields fields;
        private final String ageField;
        private final List<Target> targets;
        private final int maxDistance;
        private final NearestDocuments nearest;

        /** @param targets distinct, or work is done twice */
        LeafNearest(LeafReader reader, IndexedFields fields, String ageField, List<Target> targets, int maxDistance) {
            this.reader = Cancellation.unchecked(reader);
            this.cancellation = new Cancellation(reader);
            this.live = reader.getLiveDocs();
            this.fields = fields;
            this.ageField = ageField;
            this.targets = targets;
            this.maxDistance = maxDistance;
            this.nearest = new NearestDocuments(targets.size());
        }

        DocIdSetIterator find() throws IOException {
            new CandidatePairs(this::offerAll, cancellation).sharingDigests(reader.terms(fields.digest()), targets);
            LeafFingerprints leaf = LeafFingerprints.of(reader, fields);
            if (leaf != null) {
                for (Map.Entry<String, int[]> sameScheme : byScheme().entrySet()) {
                    SchemeFilter schemes = SchemeFilter.open(reader, fields.scheme(), sameScheme.getKey());
                    if (schemes != null) {
                        addNear(leaf, sameScheme.getValue(), schemes);
                    }
                }
            }
            FixedBitSet all = nearest.all(reader.maxDoc());
            return new BitSetIterator(all, (long) targets.size() * KEPT);
        }

        private Map<String, int[]> byScheme() {
            Map<String, int[]> byScheme = new HashMap<>();
            for (Target target : targets) {
                String scheme = target.scheme();
                if (target.bits().isPresent() && byScheme.containsKey(scheme) == false) {
                    byScheme.put(
                            scheme,
                            IntStream.range(0, targets.size())
                                    .filter(i -> targets.get(i).bits().isPresent())
                                    .filter(i -> Objects.equals(targets.get(i).scheme(), scheme))
                                    .toArray());
                }
            }
            return byScheme;
        }

        private void offerAll(CandidatePairs sameDigest) throws IOException {
            NumericDocValues ages = ages();
            for (int i = 0; i < sameDigest.size(); i++) {
                offer(sameDigest.target(i), sameDigest.doc(i), 0, ages);
            }
        }

        private void addNear(LeafFingerprints leaf, int[] places, SchemeFilter schemes) throws IOException {
            long[] bits = IntStream.of(places)
                    .mapToLong(place -> targets.get(place).bits().getAsLong())
                    .toArray();
            double scan = leaf.documents() * COSTS.scan() * (1 + (bits.length - 1) * FURTHER_TARGET);
            ProbePlan plan = leaf.layout() == null ? null : plan(leaf, scan / bits.length);
            long maxCandidates = (long) (scan / COSTS.candidate());
            boolean found = plan != null
                    && new CandidatePairs(pairs -> compare(pairs, bits, places, schemes.again()), cancellation)
                            .sharingSegments(leaf, plan, bits, maxCandidates);
            if (found == false) {
                scan(bits, places, schemes.again());
            }
        }

        /** Uses average costs; crowded values are found when they are read. */
        private ProbePlan plan(LeafFingerprints leaf, double limit) {
            return ProbePlan.cheapest(
                    leaf.layout(),
                    maxDistance,
                    (segment, radius) -> {
                        int width = leaf.layout().width(segment);
                        double values = 0;
                        for (int ring = 0; ring <= radius; ring++) {
                            double more = ProbePlan.choose(width, ring);
                            values += more > LARGEST_RING ? Double.POSITIVE_INFINITY : more;
                        }
                        double postings = values * leaf.documents() / (1L << width);
                        return values * COSTS.seek() + postings * COSTS.candidate();
                    },
                    limit * CostModel.WORTHWHILE);
        }

        /** @param schemes unread */
        private void compare(CandidatePairs pairs, long[] bits, int[] places, SchemeFilter schemes) throws IOException {
            NumericDocValues values = DocValues.unwrapSingleton(DocValues.getSortedNumeric(reader, fields.bits()));
            NumericDocValues ages = ages();
            int current = -1;
            boolean there = false;
            for (int i = 0; i < pairs.size(); i++) {
                if (pairs.doc(i) != current) {
                    current = pairs.doc(i);
                    there = values.advanceExact(current);
                }
                int distance = there ? Long.bitCount(values.longValue() ^ bits[pairs.target(i)]) : Integer.MAX_VALUE;
                if (distance <= maxDistance && schemes.accepts(current)) {
                    offer(places[pairs.target(i)], current, distance, ages);
                }
            }
        }

        /** @param schemes unread */
        private void scan(long[] bits, int[] places, SchemeFilter schemes) throws IOException {
            SortedNumericDocValues values = DocValues.getSortedNumeric(reader, fields.bits());
            NumericDocValues ages = ages();
            int comparisons = 0;
            for (int doc = values.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = values.nextDoc()) {
                comparisons += bits.length;
                if (comparisons >= COMPARISONS_PER_CHECK) {
                    cancellation.check();
                    comparisons = 0;
                }
                for (int i = values.docValueCount(); i > 0; i--) {
                    long value = values.nextValue();
                    if (NearestTargets.nearest(value, bits) <= maxDistance && schemes.accepts(doc)) {
                        for (int target = 0; target < bits.length; target++) {
                            int distance = Long.bitCount(bits[target] ^ value);
                            if (distance <= maxDistance) {
                                offer(places[target], doc, distance, ages);
                            }
                        }
                    }
                }
            }
        }

        private void offer(int place, int doc, int distance, NumericDocValues ages) throws IOException {
            if (live == null || live.get(doc)) {
                nearest.offer(place, doc, distance, ages.advanceExact(doc) ? ages.longValue() : Long.MAX_VALUE);
            }
        }

        private NumericDocValues ages() throws IOException {
            return DocValues.getNumeric(reader, ageField);
        }

        /** The nearest documents of each target so far. Ties go to the oldest, then to the first. One thread. */
        private static final class NearestDocuments {

            private record Near(int doc, int distance, long age) {

                boolean isBefore(int otherDoc, int otherDistance, long otherAge) {
                    if (distance != otherDistance) {
                        return distance < otherDistance;
                    }
                    return age == otherAge ? doc < otherDoc : age < otherAge;
                }
            }

            /** By target, the nearest first. */
            private final List<List<Near>> nearest;

            NearestDocuments(int targets) {
                this.nearest = Stream.<List<Near>>generate(() -> new ArrayList<>(0))
                        .limit(targets)
                        .toList();
            }

            void offer(int target, int doc, int distance, long age) {
                List<Near> kept = nearest.get(target);
                if (kept.size() == KEPT && kept.getLast().isBefore(doc, distance, age)) {
                    return; // the usual case where many documents have the same values
                }
                kept.removeIf(near -> near.doc == doc && near.distance > distance);
                if (kept.stream().noneMatch(near -> near.doc == doc)) {
                    long before = kept.stream()
                            .filter(near -> near.isBefore(doc, distance, age))
                            .count();
                    kept.add((int) before, new Near(doc, distance, age));
                    if (kept.size() > KEPT) {
                        kept.removeLast();
                    }
                }
            }

            FixedBitSet all(int maxDoc) {
                FixedBitSet all = new FixedBitSet(maxDoc);
                nearest.forEach(kept -> kept.forEach(near -> all.set(near.doc)));
                return all;
            }
        }
    }
}
