/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.IOConsumer;

/**
 * Chooses between probing and scanning by cost, for one target in one Lucene leaf. Reading term statistics is itself a
 * cost: they are read ring by ring, only for plans that promise to beat the scan, and kept for the next plan. One thread.
 */
final class LeafPlanner {

    /**
     * What a search is expected to cost.
     *
     * @param nanos time, by the cost model
     * @param candidates documents compared
     */
    record Outlook(double nanos, double candidates) {
        static final Outlook NOTHING = new Outlook(0, 0);
    }

    private final LeafFingerprints leaf;
    private final CostModel model;
    private final SegmentProbes[] segments;

    /** @param target fingerprint to look for */
    LeafPlanner(LeafFingerprints leaf, long target, CostModel model) {
        this.leaf = leaf;
        this.model = model;
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
        double scan = share * leaf.documents() * model.scan();
        double spent = 0;
        while (segments.length > 0) {
            // Once a good part of a scan was spent on statistics, it takes a better promise to go on.
            double limit = scan * CostModel.WORTHWHILE * (spent < scan * CostModel.STAKE ? 1 : 0.5);
            ProbePlan plan = cheapest(bound, share, limit);
            SegmentProbes unread = plan == null ? null : unread(plan);
            if (unread == null) {
                return plan;
            }
            int lookups = unread.readNextRing(limit / model.candidate() / share);
            effort.probes += lookups;
            spent += lookups * model.seek();
        }
        return null;
    }

    /** What a search of the whole leaf within {@code bound} is expected to cost, by the documents that share a segment. */
    Outlook outlook(int bound, LeafEffort effort) throws IOException {
        double scan = leaf.documents() * model.scan();
        for (SegmentProbes segment : segments) {
            if (segment.known() == 0) {
                effort.probes += segment.readNextRing(leaf.documents());
            }
        }
        ProbePlan plan = segments.length == 0 ? null : cheapest(bound, 1, scan * CostModel.WORTHWHILE);
        if (plan == null) {
            return new Outlook(scan, leaf.documents());
        }
        double nanos = 0;
        double candidates = 0;
        for (int i = 0; i < segments.length; i++) {
            int radius = plan.radius(i);
            nanos += segments[i].costs(radius, model, 1, scan)[radius + 1];
            for (int ring = 0; ring <= radius; ring++) {
                candidates += segments[i].postings(ring);
            }
        }
        return new Outlook(nanos, Math.min(candidates, leaf.documents()));
    }

    /** Opens the postings of a plan made by {@link #plan}, one term after the other. */
    void open(ProbePlan plan, IOConsumer<PostingsEnum> consumer) throws IOException {
        PostingsEnum reuse = null;
        for (int i = 0; i < segments.length; i++) {
            reuse = segments[i].open(plan.radius(i), reuse, consumer);
        }
    }

    /** The cheapest plan as far as statistics are known, null when none costs less than {@code limit}. */
    private ProbePlan cheapest(int bound, double share, double limit) {
        double[][] costs = new double[segments.length][];
        for (int i = 0; i < segments.length; i++) {
            int largest = Math.min(bound, leaf.layout().width(i));
            costs[i] = segments[i].costs(largest, model, share, limit);
        }
        return ProbePlan.cheapest(leaf.layout(), bound, (segment, radius) -> costs[segment][radius + 1], limit);
    }

    private SegmentProbes unread(ProbePlan plan) {
        for (int i = 0; i < segments.length; i++) {
            if (plan.radius(i) >= segments[i].known()) {
                return segments[i];
            }
        }
        return null;
    }
}
