/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.IOConsumer;
import org.opensearch.simhash.core.fingerprint.ProbePlan;
import org.opensearch.simhash.search.match.Print.Target;

/**
 * Chooses between probing and scanning by cost, for one target in one leaf. Reading statistics also costs, so they are
 * read ring by ring, only for plans that may beat the scan, and kept for the next plan. One thread.
 */
final class LeafPlanner {

    /** The expected cost of a search. */
    record Outlook(double nanos, double candidates) {
        static final Outlook NOTHING = new Outlook(0, 0);
    }

    /**
     * The result of reading missing statistics.
     *
     * @param asExpected whether all were read and the plan is as good as estimated
     */
    private record Reading(double nanos, boolean asExpected) {}

    private final LeafFingerprints leaf;
    private final CostModel model;
    private final SegmentProbes[] segments;

    LeafPlanner(LeafFingerprints leaf, Target target, CostModel model) {
        this.leaf = leaf;
        this.model = model;
        this.segments =
                new SegmentProbes[leaf.layout() == null ? 0 : leaf.layout().count()];
        Arrays.setAll(
                segments,
                i -> new SegmentProbes(leaf, i, target.word(leaf.layout().word(i))));
    }

    /**
     * The cheapest plan for {@code bound}, with its statistics read.
     *
     * @param share searched part of the leaf's documents, 0 to 1
     */
    CostedPlan plan(int bound, double share, LeafEffort effort) throws IOException {
        CostedPlan own = ownValues(bound, share, effort);
        return own == null ? compared(bound, share, effort) : own;
    }

    CostedPlan compared(int bound, double share, LeafEffort effort) throws IOException {
        CostedPlan scan = new CostedPlan(null, share * leaf.documents() * model.scan());
        if (segments.length == 0) {
            return scan;
        }
        ProbePlan sufficient = sufficient(bound, share, effort);
        CostedPlan best = sufficient == null ? scan : new CostedPlan(sufficient, cost(sufficient, share));
        double limit = best.nanos() * CostModel.COUNTING;
        CostedPlan counted = new CountPlanner(segments, leaf, model, bound, share, limit, effort).plan();
        return counted == null ? best : counted;
    }

    /**
     * The target's own value of just enough segments; null if another plan may be cheaper. Most searches within a few
     * bits of evenly spread fingerprints end here: comparing plans takes longer than a better plan saves.
     *
     * <p>A plan that leaves out a value must add another segment's value, or at least as many neighbours of a value as a segment has bits.
     * The first is cheaper only if a value has more documents than expected. The second is cheaper only if the value costs more than that
     * many seeks. Counting needs one of the two as well, and saves at most the comparisons.
     */
    CostedPlan ownValues(int bound, double share, LeafEffort effort) throws IOException {
        int needed = bound + 1;
        double scan = share * leaf.documents() * model.scan() * CostModel.WORTHWHILE;
        if (needed > segments.length || ownCost(needed, share) >= scan) {
            return null;
        }
        boolean isChoice = needed < segments.length;
        double around = leaf.layout().width(segments.length - 1) * model.seek();
        double comparing = 0;
        double dearer = 0;
        for (int i = 0; i < needed; i++) {
            double expected = segments[i].cost(0, model, share);
            if (segments[i].known() == 0) {
                effort.probes += segments[i].readNextRing(leaf.documents());
            }
            double cost = segments[i].cost(0, model, share);
            dearer += Math.max(0, cost - expected);
            comparing += share * segments[i].postings(0) * model.candidate();
            if (cost >= around || (isChoice && dearer > model.planning())) {
                return null;
            }
        }
        double counting = model.counting(share * leaf.documents(), bound + 2, 2) + (isChoice ? model.seek() : around);
        double cost = ownCost(needed, share);
        return cost >= scan || comparing > counting
                ? null
                : new CostedPlan(ProbePlan.ownValues(segments.length, needed), cost);
    }

    /** Known cost of the target's own values of {@code needed} segments. */
    private double ownCost(int needed, double share) {
        double cost = 0;
        for (int i = 0; i < needed; i++) {
            cost += segments[i].cost(0, model, share);
        }
        return cost;
    }

    private double cost(ProbePlan plan, double share) {
        double cost = 0;
        for (int i = 0; i < segments.length; i++) {
            int radius = plan.radius(i);
            cost += segments[i].costs(radius, model, share, Double.POSITIVE_INFINITY)[radius + 1];
        }
        return cost;
    }

    /** The cheapest plan that looks up just enough, and compares every document found. */
    private ProbePlan sufficient(int bound, double share, LeafEffort effort) throws IOException {
        double scan = share * leaf.documents() * model.scan();
        double stake = scan * CostModel.STAKE;
        double spent = 0;
        while (true) {
            // After much reading, only a better plan justifies more.
            double limit = scan * CostModel.WORTHWHILE * (spent < stake ? 1 : 0.5);
            ProbePlan plan = cheapest(bound, share, limit);
            if (plan == null || SegmentProbes.unread(segments, plan) < 0) {
                return plan;
            }
            Reading reading = read(plan, share, limit, spent < stake ? stake - spent : scan, effort);
            if (reading.asExpected()) {
                return plan;
            }
            spent += reading.nanos();
        }
    }

    /**
     * Reads missing statistics, except when they would cost more than {@code budget} or show that the plan is so much
     * dearer that replanning pays. If they are as expected, the plan stays the cheapest.
     */
    private Reading read(ProbePlan plan, double share, double limit, double budget, LeafEffort effort)
            throws IOException {
        double spent = 0;
        double dearer = 0;
        for (int i = SegmentProbes.unread(segments, plan); i >= 0; i = SegmentProbes.unread(segments, plan)) {
            SegmentProbes next = segments[i];
            int ring = next.known();
            double expected = next.postings(ring);
            int lookups = next.readNextRing(limit / model.candidate() / share);
            effort.probes += lookups;
            spent += lookups * model.seek();
            dearer += Math.max(0, next.postings(ring) - expected) * share * model.candidate();
            boolean givenUp = next.known() == ring;
            if (givenUp || spent >= budget || dearer > model.planning()) {
                return new Reading(spent, false);
            }
        }
        return new Reading(spent, true);
    }

    Outlook outlook(int bound, LeafEffort effort) throws IOException {
        double scan = leaf.documents() * model.scan();
        CostedPlan own = ownValues(bound, 1, effort);
        if (own != null) {
            return new Outlook(own.nanos(), Math.min(postings(own.plan()), leaf.documents()));
        }
        for (SegmentProbes segment : segments) {
            if (segment.known() == 0) {
                effort.probes += segment.readNextRing(leaf.documents());
            }
        }
        ProbePlan plan = segments.length == 0 ? null : cheapest(bound, 1, scan * CostModel.WORTHWHILE);
        if (plan == null) {
            return new Outlook(scan, leaf.documents());
        }
        return new Outlook(cost(plan, 1), Math.min(postings(plan), leaf.documents()));
    }

    /** Opens the postings of a plan from {@link #plan}, one term after the other. */
    void open(ProbePlan plan, IOConsumer<PostingsEnum> consumer) throws IOException {
        PostingsEnum reuse = null;
        for (int i = 0; i < segments.length; i++) {
            reuse = segments[i].open(plan.radius(i), reuse, consumer);
        }
    }

    /** Opens the postings of a plan at once, by segment and distance from the target's value. */
    List<List<List<PostingsEnum>>> openAll(ProbePlan plan) throws IOException {
        List<List<List<PostingsEnum>>> opened = new ArrayList<>();
        for (int i = 0; i < segments.length; i++) {
            if (plan.radius(i) >= 0) {
                opened.add(segments[i].openAll(plan.radius(i)));
            }
        }
        return opened;
    }

    /** Values of a plan from {@link #plan} that documents have. */
    long found(ProbePlan plan) {
        long sum = 0;
        for (int i = 0; i < segments.length; i++) {
            sum += segments[i].found(plan.radius(i));
        }
        return sum;
    }

    /** Postings of a plan from {@link #plan}; a document with several values counts for each. */
    double postings(ProbePlan plan) {
        double sum = 0;
        for (int i = 0; i < segments.length; i++) {
            for (int ring = 0; ring <= plan.radius(i); ring++) {
                sum += segments[i].postings(ring);
            }
        }
        return sum;
    }

    /** Part of the leaf in which comparing takes much longer than opening the plan's postings. */
    double worthOpening(ProbePlan plan) {
        double comparing = postings(plan) * model.candidate();
        double much = 0;
        for (int i = 0; i < segments.length; i++) {
            for (int ring = 0; ring <= plan.radius(i); ring++) {
                much += CostModel.MUCH * segments[i].reading(ring, model);
            }
        }
        return comparing > much ? much / comparing : 1;
    }

    /** The cheapest plan by known statistics; null if none is below {@code limit}. */
    private ProbePlan cheapest(int bound, double share, double limit) {
        double[][] costs = new double[segments.length][];
        for (int i = 0; i < segments.length; i++) {
            int largest = Math.min(bound, leaf.layout().width(i));
            costs[i] = segments[i].costs(largest, model, share, limit);
        }
        return ProbePlan.cheapest(leaf.layout(), bound, (segment, radius) -> costs[segment][radius + 1], limit);
    }

    /**
     * A plan for a leaf, and its expected cost.
     *
     * @param plan null for a scan
     * @param nanos time by the cost model
     */
    record CostedPlan(ProbePlan plan, double nanos) {}

    /**
     * Costs of search steps in nanoseconds; only the ratios matter. A wrong model costs time, never a match.
     *
     * @param scan compare the next fingerprint of a scan
     * @param seek look up a term, found or not
     * @param open open the postings of a found term, and fingerprints to compare
     * @param candidate read a posting and compare its fingerprint: mostly a cache miss
     * @param verify compare a document that a conjunction proposes
     * @param posting read a posting into a bit set
     * @param count count sets, per document of the leaf and per kept count
     */
    record CostModel(
            double scan, double seek, double open, double candidate, double verify, double posting, double count) {

        /** Measured with 10 million documents in a leaf, see docs/figures/benchmarks.md. */
        static final CostModel MEASURED = new CostModel(1, 250, 350, 14, 20, 1.2, 0.01);

        /** Measured with a million hashes of 256 bits. */
        static final CostModel LONG = new CostModel(20, 250, 350, 40, 40, 1.2, 0.01);

        /** @param length of the fingerprints in bits */
        static CostModel of(int length) {
            return length == Long.SIZE ? MEASURED : LONG;
        }

        /** A plan is taken below this part of the scan's cost, since estimates are rough. */
        static final double WORTHWHILE = 0.7;

        /** Part of the scan's cost to spend on statistics before a large gain is certain. */
        static final double STAKE = 0.05;

        /** Like {@link #WORTHWHILE}; estimates for counting are better. */
        static final double COUNTING = 0.9;

        /** A cost this many times smaller than another is ignored. */
        static final double MUCH = 16;

        /** Cost of counting {@code documents} in {@code sets}, when a match is in {@code shared} of them. */
        double counting(double documents, int sets, int shared) {
            return documents * sets * shared * count;
        }

        /** Finding the cheapest plan takes about as long as four look-ups. */
        double planning() {
            return 4 * seek;
        }
    }
}
