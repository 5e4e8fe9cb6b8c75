/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.Arrays;

/**
 * Looks for a plan that reads more values than would suffice, so that a match shares several of them and few documents are
 * left to compare: {@link CountedProbes}. It begins with the plan that reads the fewest postings, and goes to the neighbour
 * of least cost, one radius larger and perhaps another one smaller, until none is better.
 *
 * <p>How many documents are left is estimated as if segments were independent: within a tenth of the truth on fingerprints
 * of words by Zipf's law. One thread.
 */
final class CountPlanner {

    /** Their postings are open side by side, some kilobytes each. */
    static final int MOST_VALUES = 512;

    private final SegmentProbes[] segments;
    private final LeafFingerprints leaf;
    private final CostModel model;
    private final int bound;
    private final double share;
    private final double limit;
    private final LeafEffort effort;
    /** By segment, the largest radius that may be looked at. */
    private final int[] largest;

    private double spent;

    /**
     * @param share part of the leaf's documents that is searched, 0 to 1
     * @param limit what a plan must cost less than
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

    /** The best plan found, its statistics read; null when none is expected to cost less than the limit. */
    CostedPlan plan() throws IOException {
        ProbePlan start = counting(bound + 2, 2) < limit ? fewestPostings() : null;
        if (start == null) {
            return null;
        }
        // Where the search begins nothing can be counted yet.
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

    /** The cheapest neighbour that costs less; null when there is none. Statistics are read for promising ones only. */
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

    /** One radius is larger by one, and another one smaller, unless they are the same. */
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

    /** Hopes that rings which were not read have few postings: to read their statistics is cheap, and bounded. */
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

    /** The part of the documents that is in at least {@code shared} sets, if segments are independent. */
    private double left(ProbePlan plan, int shared) {
        // At i the part that is in exactly i sets; at the last place, in as many as needed.
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
