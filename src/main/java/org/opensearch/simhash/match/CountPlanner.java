/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.Arrays;
import org.opensearch.simhash.match.LeafPlanner.CostedPlan;

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
    /** By segment. */
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
        for (int i = 0; i < largest.length; i++) {
            largest[i] = Math.min(bound, leaf.layout().width(i));
        }
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
}
