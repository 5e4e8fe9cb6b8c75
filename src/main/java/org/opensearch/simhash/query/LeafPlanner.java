/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.IOConsumer;

/**
 * Chooses between probing and scanning by cost, for one target in one Lucene leaf. Reading term statistics is itself a
 * cost: they are read ring by ring, only for plans that promise to beat the scan, and kept for the next plan. One thread.
 */
final class LeafPlanner {

    /**
     * What a search is expected to cost.
     *
     * @param nanos time, by {@link CostModel}
     * @param candidates documents compared
     */
    record Outlook(double nanos, double candidates) {
        static final Outlook NOTHING = new Outlook(0, 0);
    }

    private final LeafFingerprints leaf;
    private final SegmentProbes[] segments;

    /** @param target fingerprint to look for */
    LeafPlanner(LeafFingerprints leaf, long target) {
        this.leaf = leaf;
        this.segments =
                new SegmentProbes[leaf.layout() == null ? 0 : leaf.layout().count()];
        for (int i = 0; i < segments.length; i++) {
            segments[i] = new SegmentProbes(leaf, i, target);
        }
    }

    /**
     * The cheapest plan to find what is within {@code bound}, its statistics read; null when a scan is cheaper.
     *
     * @param share part of the leaf's documents that is searched, 0 to 1
     */
    ProbePlan plan(int bound, double share, LeafEffort effort) throws IOException {
        if (segments.length == 0) {
            return null;
        }
        double limit = share * leaf.documents() * CostModel.SCAN * CostModel.WORTHWHILE;
        while (true) {
            ProbePlan plan = estimate(bound, share, limit);
            if (plan == null) {
                return null;
            }
            SegmentProbes unread = unread(plan);
            if (unread == null) {
                return plan;
            }
            effort.probes += unread.values(unread.known());
            unread.readNextRing();
        }
    }

    /** What a search within {@code bound} is expected to cost, from the buckets of the target itself. */
    Outlook outlook(int bound) throws IOException {
        double scan = leaf.documents() * CostModel.SCAN;
        for (SegmentProbes segment : segments) {
            if (segment.known() == 0) {
                segment.readNextRing();
            }
        }
        ProbePlan plan = segments.length == 0 ? null : estimate(bound, 1, scan * CostModel.WORTHWHILE);
        if (plan == null) {
            return new Outlook(scan, leaf.documents());
        }
        double nanos = 0;
        double candidates = 0;
        for (int i = 0; i < segments.length; i++) {
            double[] costs = cumulated(segments[i], plan.radius(i), 1, scan);
            nanos += costs[plan.radius(i) + 1];
            for (int radius = 0; radius <= plan.radius(i); radius++) {
                candidates += segments[i].postings(radius);
            }
        }
        return new Outlook(nanos, Math.min(candidates, leaf.documents()));
    }

    /** The cheapest plan as far as statistics are known, null when none costs less than {@code limit}. */
    private ProbePlan estimate(int bound, double share, double limit) {
        double[][] costs = new double[segments.length][];
        for (int i = 0; i < segments.length; i++) {
            costs[i] = cumulated(segments[i], Math.min(bound, leaf.layout().width(i)), share, limit);
        }
        return ProbePlan.cheapest(leaf.layout(), bound, (segment, radius) -> costs[segment][radius + 1], limit);
    }

    private static double[] cumulated(SegmentProbes segment, int most, double share, double limit) {
        double[] costs = new double[most + 2];
        for (int radius = 0; radius <= most; radius++) {
            double lookups = radius < segment.known()
                    ? segment.ring(radius).size() * CostModel.OPEN
                    : segment.values(radius) * (CostModel.SEEK + CostModel.OPEN);
            double ring = lookups + share * segment.postings(radius) * CostModel.CANDIDATE;
            costs[radius + 1] = costs[radius] >= limit ? limit : costs[radius] + ring;
        }
        return costs;
    }

    private SegmentProbes unread(ProbePlan plan) {
        for (int i = 0; i < segments.length; i++) {
            if (plan.radius(i) >= segments[i].known()) {
                return segments[i];
            }
        }
        return null;
    }

    /** Postings that a plan reads, its statistics read. */
    long postings(ProbePlan plan) {
        long sum = 0;
        for (int i = 0; i < segments.length; i++) {
            for (int radius = 0; radius <= plan.radius(i); radius++) {
                sum += (long) segments[i].postings(radius);
            }
        }
        return sum;
    }

    /** Opens the postings of a plan, its statistics read, one term after the other. */
    void open(ProbePlan plan, IOConsumer<PostingsEnum> consumer) throws IOException {
        PostingsEnum postings = null;
        for (int i = 0; i < segments.length; i++) {
            for (int radius = 0; radius <= plan.radius(i); radius++) {
                for (SegmentProbes.Probe probe : segments[i].ring(radius)) {
                    TermsEnum terms = segments[i].termsEnum();
                    terms.seekExact(probe.term(), probe.state());
                    postings = terms.postings(postings, PostingsEnum.NONE);
                    consumer.accept(postings);
                }
            }
        }
    }
}
