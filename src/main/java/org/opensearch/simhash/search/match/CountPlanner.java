/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.search.match.LeafPlanner.CostModel;
import org.opensearch.simhash.search.match.LeafPlanner.CostedPlan;
import org.opensearch.simhash.search.match.MatchSource.MatchBatch;

/**
 * Finds a plan that looks up more values than necessary, so that a match shares several and few documents are compared:
 * {@link CountedProbes}. Starts at the plan with the fewest postings. Each step goes to the cheapest neighbour (one
 * radius larger by one, another perhaps smaller by one), until none is cheaper.
 *
 * <p>Compared documents are estimated as if segments were independent. The error is below a tenth on fingerprints of
 * Zipf-distributed words. One thread.
 */
final class CountPlanner {

    /** Their postings are open at the same time, some kilobytes each. */
    static final int MOST_VALUES = 512;

    private final SegmentProbes[] segments;
    private final LeafFingerprints leaf;
    private final CostModel model;
    private final int bound;
    private final double share;
    private final double limit;
    private final LeafEffort effort;
    private final int[] largest;

    private double spent;

    /**
     * @param share searched part of the leaf's documents, 0 to 1
     * @param limit a plan must cost less
     */
    CountPlanner(
            SegmentProbes[] segments,
            LeafFingerprints leaf,
            CostModel model,
            int bound,
            double share,
            double limit,
            LeafEffort effort) {
        this.segments = segments;
        this.leaf = leaf;
        this.model = model;
        this.bound = bound;
        this.share = share;
        this.limit = limit;
        this.effort = effort;
        this.largest = new int[segments.length];
        Arrays.setAll(largest, i -> Math.min(bound, leaf.layout().width(i)));
    }

    /** The best plan, statistics read; null if none is below the limit. */
    CostedPlan plan() throws IOException {
        ProbePlan start = counting(bound + 2, 2) < limit ? fewestPostings() : null;
        if (start == null) {
            return null;
        }
        // The starting plan cannot count.
        CostedPlan best = new CostedPlan(start, Double.POSITIVE_INFINITY);
        while (true) {
            CostedPlan next = better(best);
            if (next == null) {
                return best.nanos() < limit ? best : null;
            }
            int unread = SegmentProbes.unread(segments, next.plan());
            if (unread < 0) {
                best = next;
            } else {
                read(unread);
            }
        }
    }

    private ProbePlan fewestPostings() {
        double[][] costs = new double[segments.length][];
        for (int i = 0; i < costs.length; i++) {
            costs[i] = new double[largest[i] + 2];
            for (int ring = 0; ring <= largest[i]; ring++) {
                costs[i][ring + 1] = costs[i][ring] + reading(i, ring, segments[i].postings(ring));
            }
        }
        return ProbePlan.cheapest(leaf.layout(), bound, (i, radius) -> costs[i][radius + 1], limit);
    }

    /** The cheapest neighbour below the best cost, or null. Reads statistics of promising neighbours only. */
    private CostedPlan better(CostedPlan from) {
        CostedPlan best = null;
        double least = from.nanos();
        for (int larger = 0; larger < segments.length; larger++) {
            for (int smaller = 0; smaller < segments.length; smaller++) {
                ProbePlan plan = neighbour(from.plan(), larger, smaller);
                double cost = cost(plan);
                if (cost < least && (cost < limit || SegmentProbes.unread(segments, plan) < 0)) {
                    best = new CostedPlan(plan, cost);
                    least = cost;
                }
            }
        }
        return best;
    }

    /** Changes one radius by +1 and another by -1; if they are the same, only by +1. */
    private ProbePlan neighbour(ProbePlan plan, int larger, int smaller) {
        int[] radii = new int[segments.length];
        Arrays.setAll(radii, plan::radius);
        radii[larger]++;
        radii[smaller] -= smaller == larger ? 0 : 1;
        return new ProbePlan(radii);
    }

    private void read(int segment) throws IOException {
        int ring = segments[segment].known();
        double seeks = segments[segment].values(ring) * model.seek();
        if (spent + seeks <= limit * CostModel.STAKE) {
            spent += seeks;
            effort.probes += segments[segment].readNextRing(limit / model.posting() / share);
        }
        if (segments[segment].known() == ring) {
            largest[segment] = ring - 1;
        }
    }

    /** Assumes few postings for unread rings. Reading their statistics is cheap and bounded. */
    private double cost(ProbePlan plan) {
        double values = 0;
        double cost = 0;
        for (int i = 0; i < segments.length; i++) {
            int radius = plan.radius(i);
            if (radius < ProbePlan.NONE || radius > largest[i]) {
                return Double.POSITIVE_INFINITY;
            }
            for (int ring = 0; ring <= radius; ring++) {
                values += segments[i].values(ring);
                cost += reading(i, ring, segments[i].hopedPostings(ring));
            }
        }
        int shared = plan.shared(bound);
        if (shared < 2 || values > MOST_VALUES) {
            return Double.POSITIVE_INFINITY;
        }
        return cost
                + counting(bound + shared, shared)
                + share * leaf.documents() * left(plan, shared) * model.candidate();
    }

    private double reading(int segment, int ring, double postings) {
        return segments[segment].reading(ring, model) + share * postings * model.posting();
    }

    private double counting(int sets, int shared) {
        return model.counting(share * leaf.documents(), sets, shared);
    }

    /** Part of the documents in at least {@code shared} sets, if segments are independent. */
    private double left(ProbePlan plan, int shared) {
        // Entry i is the part in exactly i sets; the last entry is the part in at least {@code shared}.
        double[] parts = new double[shared + 1];
        parts[0] = 1;
        for (int i = 0; i < segments.length; i++) {
            double[] next = new double[shared + 1];
            double beyond = 1;
            for (int ring = 0; ring <= plan.radius(i); ring++) {
                double near = Math.min(beyond, segments[i].hopedPostings(ring) / leaf.documents());
                beyond -= near;
                add(parts, near, plan.radius(i) + 1 - ring, next);
            }
            add(parts, beyond, 0, next);
            parts = next;
        }
        return parts[shared];
    }

    private static void add(double[] parts, double factor, int sets, double[] next) {
        for (int i = 0; i < parts.length; i++) {
            next[Math.min(parts.length - 1, i + sets)] += parts[i] * factor;
        }
    }

    /**
     * Compares only documents that share several looked-up values. For each segment and each radius up to the plan's, the documents within
     * that radius form a set; a match is in at least {@link ProbePlan#shared} sets. The sets are counted in windows of bit sets, 64
     * documents at a time. A posting then costs a tenth of a comparison, which is mostly a cache miss.
     *
     * <p>This is ScanCount for the T-occurrence problem (Li, Lu, Lu, "Efficient Merging and Filtering Algorithms for
     * Approximate String Searches", 2008). Matches come in order, as the leaf is read.
     */
    static final class CountedProbes implements MatchSource.OnDemand {

        /** Documents counted at once: the bit sets stay in the processor's cache. */
        static final int WINDOW = 1 << 17;

        /** Open postings: a block of documents, its bit set, positions. */
        private static final long BYTES_PER_VALUE = 4096;

        private final StoredFingerprints fingerprints;
        private final List<List<List<PostingsEnum>>> segments;
        private final int to;
        private final LeafEffort effort;
        /** Documents within a radius of one segment. */
        private final FixedBitSet near;
        /** Entry {@code i} holds the documents in at least {@code i + 1} sets. */
        private final FixedBitSet[] counts;

        private final int[] docs = new int[MatchBatch.WINDOW];
        /** None at first. */
        private int start;

        private int end;
        /** First document that no candidates were returned for. */
        private int examined;

        /**
         * @param segments postings by segment and distance from the target's value; none is read yet
         * @param shared number of sets that a match is in, at least 2. For less use {@link VerifiedProbes}
         * @param to end of the documents that will be asked for
         */
        CountedProbes(
                StoredFingerprints fingerprints,
                List<List<List<PostingsEnum>>> segments,
                int shared,
                int from,
                int to,
                LeafEffort effort) {
            assert shared > 1 : "one set is no count";
            this.fingerprints = fingerprints;
            this.segments = segments;
            this.to = to;
            this.effort = effort;
            int window = Math.min(WINDOW, to - from);
            this.near = new FixedBitSet(window);
            this.counts = new FixedBitSet[shared];
            Arrays.setAll(counts, any -> new FixedBitSet(window));
        }

        static long bytes(long values, int shared, int documents) {
            return values * BYTES_PER_VALUE + (shared + 1L) * Math.min(WINDOW, documents) / Byte.SIZE;
        }

        @Override
        public int fill(int from, int limit, int bound, MatchBatch batch) throws IOException {
            if (from >= end) {
                count(from);
            }
            int size = candidates(from, Math.min(limit, end));
            fingerprints.verify(docs, size, bound, batch);
            effort.compared += size;
            return examined;
        }

        /**
         * Writes the first candidates of {@code [from, last)} to {@link #docs} and returns their number. The first of each
         * word is always written: a branch there is unpredictable and takes a tenth of the search.
         */
        private int candidates(int from, int last) {
            long[] words = counts[counts.length - 1].getBits();
            long asked = -1L << (from - start);
            int i = (from - start) / Long.SIZE;
            int size = 0;
            for (int stop = (last - start - 1) / Long.SIZE; i <= stop && size <= docs.length - Long.SIZE; i++) {
                int base = start + i * Long.SIZE;
                long word = words[i] & asked;
                asked = -1;
                docs[size] = base + Long.numberOfTrailingZeros(word);
                size += word != 0 ? 1 : 0;
                for (word &= word - 1; word != 0; word &= word - 1) {
                    docs[size++] = base + Long.numberOfTrailingZeros(word);
                }
            }
            examined = Math.min(last, start + i * Long.SIZE);
            while (size > 0 && docs[size - 1] >= last) {
                size--;
            }
            return size;
        }

        private void count(int from) throws IOException {
            start = from;
            end = Math.min(to, from + near.length());
            for (FixedBitSet set : counts) {
                set.clear();
            }
            for (List<List<PostingsEnum>> rings : segments) {
                near.clear();
                for (List<PostingsEnum> ring : rings) {
                    for (PostingsEnum postings : ring) {
                        if (postings.docID() < start) {
                            postings.advance(start);
                        }
                        postings.intoBitSet(end, near, start);
                    }
                    addNear();
                }
            }
        }

        private void addNear() {
            long[] in = near.getBits();
            for (int i = counts.length - 1; i > 1; i--) {
                long[] more = counts[i].getBits();
                long[] fewer = counts[i - 1].getBits();
                for (int word = 0; word < in.length; word++) {
                    more[word] |= fewer[word] & in[word];
                }
            }
            add(in, counts[0].getBits(), counts[1].getBits());
        }

        /** The first two counts in one pass, a tenth faster. Mostly there are no others. */
        private static void add(long[] in, long[] once, long[] twice) {
            for (int word = 0; word < in.length; word++) {
                twice[word] |= once[word] & in[word];
                once[word] |= in[word];
            }
        }
    }
}
