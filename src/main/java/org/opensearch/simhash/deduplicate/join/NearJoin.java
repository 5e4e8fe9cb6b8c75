/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.deduplicate.join.DistinctFingerprints.Slice;
import org.opensearch.simhash.memory.Account;

/**
 * All pairs of fingerprints within a distance, exactly, with all threads that it is given. Equal fingerprints are collapsed first;
 * each stratum is joined by blocks that its own statistics propose.
 *
 * <p>Cost: for uniform fingerprints a few sorts; for any others what {@link BlockChoice} finds cheapest. Memory: at most
 * {@value FingerprintRows#JOIN_BYTES} bytes per row with two threads, 12 to 16 more for each further thread, of which there are as
 * many as fit into the allowance; nine per pair of different fingerprints found.
 */
public final class NearJoin {

    /** Smaller strata are compared pair by pair. */
    static final int SMALL = 512;

    /** Are in what a join takes for a row. */
    private static final int THREADS = 2;

    private static final int FEWER = 4;

    private static final int SAMPLE = 4_096;
    private static final int STRIPES = 64;

    /** A join that costs less than such a part of all comparisons is worth it, however many links there are. */
    private static final int CHEAP = 8;

    /** Too many for sure, where a sample tells. */
    private static final int HALF = 2;

    /** How a slice is joined, and what that costs in nanoseconds on one thread. */
    private record Plan(Slice slice, BlockPlan blocks, double nanos) {}

    /** One combination of blocks in one stratum, or a stripe of it when all pairs are compared. */
    private record Unit(Slice slice, BlockPlan plan, int combination, int stripe, int stripes) {}

    private final int distance;
    private final Executor executor;
    private final int threads;
    private final long allowance;
    private final LongConsumer progress;

    /**
     * A join.
     *
     * @param distance greatest number of differing bits
     * @param executor runs {@code threads} tasks at a time; the caller waits for them
     * @param allowance bytes that all threads but two are to fit into, together with the rows
     * @param progress is told of pairs as they are compared, and may throw to end the join
     */
    public NearJoin(int distance, Executor executor, int threads, long allowance, LongConsumer progress) {
        this.distance = distance;
        this.executor = executor;
        this.threads = threads;
        this.allowance = allowance;
        this.progress = progress;
    }

    /**
     * What was found.
     *
     * @param cliques without their links when those were too many
     * @param pairs of equal or near fingerprints, and of equal digests, of different documents
     * @param links what became of the links
     */
    public record Found(Cliques cliques, long pairs, Links links) {

        /** Whether there were more links than wanted. */
        public boolean tooMany() {
            return links != Links.KEPT;
        }
    }

    /** What a join did with the links. */
    public enum Links {
        /** They are there. */
        KEPT,
        /** They were counted, and forgotten because there were too many. */
        TOO_MANY,
        /**
         * Nobody looked for them, since a sample says that there are too many: all fingerprints are in the answer, and its pairs are
         * those of equal fingerprints and digests alone. A {@link CrowdScan} finds the rest.
         */
        CROWD
    }

    /**
     * Finds the pairs. The rows are used up.
     *
     * @throws RuntimeException what the progress or the memory threw
     */
    public Found join(FingerprintRows rows, Chunks chunks, Wanted wanted) {
        Cliques.Builder cliques = new Cliques.Builder(rows.account());
        long equalTexts = EqualDigests.find(rows, chunks, cliques);
        progress.accept(0);
        DistinctFingerprints distinct = new DistinctFingerprints(rows);
        rows.keepAddresses();
        progress.accept(0);
        List<Plan> plans = plans(distinct);
        if (wanted.crowd() && chunks.count() == 1 && isCrowd(distinct, plans, wanted.mostLinks() / HALF)) {
            return crowd(distinct, cliques, equalTexts);
        }
        LinkCollector links = links(distinct, plans, chunks, wanted, rows.account());
        return collect(distinct, links, cliques, equalTexts, chunks, rows.account());
    }

    /** Where most fingerprints are crowded together, each thread takes more than anybody can know before: then with fewer of them. */
    private LinkCollector links(
            DistinctFingerprints distinct, List<Plan> plans, Chunks chunks, Wanted wanted, Account memory) {
        for (int most = threads; ; most = Math.max(1, most / FEWER)) {
            Account linking = new Account(memory);
            most = Math.min(most, threadsFor(distinct, wanted, allowance - memory.taken()));
            try {
                LinkCollector links = new LinkCollector(distinct, chunks, wanted, linking);
                if (distance > 0) {
                    find(distinct, plans, links, most, linking);
                }
                return links;
            } catch (CircuitBreakingException e) {
                linking.close();
                if (most == 1) {
                    throw e;
                }
            }
        }
    }

    /** How many threads fit into what is left of the allowance. */
    private static int threadsFor(DistinctFingerprints distinct, Wanted wanted, long room) {
        long bytes = (long) distinct.size() * (Buckets.BYTES + (wanted.forest() ? DisjointSets.BYTES : 0));
        return (int) Math.min(Integer.MAX_VALUE, Math.max(THREADS, room / Math.max(1, bytes)));
    }

    private void find(DistinctFingerprints distinct, List<Plan> plans, LinkCollector links, int most, Account memory) {
        List<Unit> units = units(plans);
        int largest = units.stream().mapToInt(unit -> unit.slice.size()).max().orElse(0);
        try (Account searching = new Account(memory)) {
            long bytes = (long) largest * Buckets.BYTES;
            int runners = runners(Math.min(most, units.size()), bytes, searching);
            ParallelUnits run = new ParallelUnits(units.size());
            for (int i = 0; i < runners; i++) {
                LinkCollector.Part part = newPart(links, i == 0);
                if (part == null) {
                    break;
                }
                run.addRunner(
                        () -> new Searcher(distinct, part, searching),
                        (searcher, unit) -> searcher.run(units.get(unit)));
            }
            // Each takes what it needs by itself.
            searching.give(runners * bytes);
            run.await(executor, () -> progress.accept(0));
        }
    }

    /** As many as there is memory for: a node may have more threads than heap. */
    private static int runners(int most, long bytes, Account memory) {
        for (int runners = most; ; runners /= 2) {
            try {
                memory.take(runners * bytes);
                return runners;
            } catch (CircuitBreakingException e) {
                if (runners <= 1) {
                    throw e;
                }
            }
        }
    }

    /** Null when there is no memory for it, and one may do without. */
    private static LinkCollector.Part newPart(LinkCollector links, boolean isNeeded) {
        try {
            return links.newPart();
        } catch (CircuitBreakingException e) {
            if (isNeeded) {
                throw e;
            }
            return null;
        }
    }

    private List<Plan> plans(DistinctFingerprints distinct) {
        List<Plan> plans = new ArrayList<>();
        for (Slice slice : distinct.slices()) {
            if (slice.size() <= SMALL) {
                if (slice.size() > 1) {
                    plans.add(
                            new Plan(slice, BlockPlan.quadratic(distance), BlockChoice.COMPARE * pairs(slice.size())));
                }
                continue;
            }
            long[] sample = BlockChoice.sample(distinct.values(), slice.from(), slice.to(), SAMPLE);
            BlockChoice.Priced plan =
                    BlockChoice.cheapest(sample, slice.size(), -1L, distance, BlockChoice.MOST_COMBINATIONS);
            plans.add(new Plan(slice, plan.plan(), plan.nanos()));
        }
        return plans;
    }

    private static double pairs(double count) {
        return count * (count - 1) / 2;
    }

    /** Whether a join compares a good part of all pairs, only to find that there are too many links. */
    private boolean isCrowd(DistinctFingerprints distinct, List<Plan> plans, long most) {
        double all =
                plans.stream().mapToDouble(plan -> pairs(plan.slice.size())).sum();
        double nanos = plans.stream().mapToDouble(Plan::nanos).sum();
        if (all <= most || nanos * CHEAP < all * BlockChoice.COMPARE) {
            return false;
        }
        double links = 0;
        for (Plan plan : plans) {
            Slice slice = plan.slice;
            LinkSample sample = LinkSample.of(distinct.values(), slice.from(), slice.to(), distance);
            progress.accept(sample.compared());
            links += sample.share() * pairs(slice.size());
            if (links > most) {
                return true;
            }
        }
        return false;
    }

    /** All of them. */
    private static Found crowd(DistinctFingerprints distinct, Cliques.Builder cliques, long equalTexts) {
        long pairs = equalTexts;
        for (Slice slice : distinct.slices()) {
            for (int value = slice.from(); value < slice.to(); value++) {
                long[] documents = documents(distinct, value);
                cliques.add(documents, distinct.values()[value], slice.stratum());
                pairs += documents.length * (documents.length - 1L) / 2;
            }
        }
        return new Found(cliques.build(), pairs, Links.CROWD);
    }

    /** The largest first: the last units to end are small ones. */
    private static List<Unit> units(List<Plan> plans) {
        List<Unit> units = new ArrayList<>();
        for (Plan plan : plans) {
            int[] combinations = plan.blocks.combinations();
            int stripes = plan.blocks.isQuadratic() && plan.slice.size() > SMALL ? STRIPES : 1;
            for (int i = 0; i < combinations.length * stripes; i++) {
                units.add(new Unit(plan.slice, plan.blocks, combinations[i / stripes], i % stripes, stripes));
            }
        }
        units.sort((a, b) -> Integer.compare(b.slice.size(), a.slice.size()));
        return units;
    }

    /** The cliques that have a link or several rows. */
    private static Found collect(
            DistinctFingerprints distinct,
            LinkCollector links,
            Cliques.Builder cliques,
            long equalTexts,
            Chunks chunks,
            Account memory) {
        memory.take((long) distinct.size() * Integer.BYTES);
        long pairs = links.pairs() + equalTexts;
        int[] cliqueOf = new int[distinct.size()];
        Arrays.fill(cliqueOf, -1);
        for (Slice slice : distinct.slices()) {
            for (int value = slice.from(); value < slice.to(); value++) {
                boolean isOwned = distinct.rows(value) > 1 && chunks.owns(distinct.values()[value]);
                if (isOwned || links.isLinked(value)) {
                    long documents = clique(distinct, value, slice.stratum(), cliqueOf, cliques);
                    pairs += isOwned ? documents * (documents - 1) / 2 : 0;
                }
            }
        }
        links.forEach((a, b, distance) -> cliques.link(cliqueOf[a], cliqueOf[b], distance));
        return new Found(cliques.build(), pairs, links.tooMany() ? Links.TOO_MANY : Links.KEPT);
    }

    /** Returns how many documents are in it. */
    private static int clique(
            DistinctFingerprints distinct, int value, long stratum, int[] cliqueOf, Cliques.Builder cliques) {
        long[] documents = documents(distinct, value);
        cliqueOf[value] = cliques.add(documents, distinct.values()[value], stratum);
        return documents.length;
    }

    private static long[] documents(DistinctFingerprints distinct, int value) {
        long[] addresses = new long[distinct.rows(value)];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = distinct.address(value, i);
        }
        return distinct.hasSeveral() ? Cliques.distinct(addresses) : addresses;
    }

    /** One thread's work. */
    private final class Searcher implements PairSink {

        private final DistinctFingerprints distinct;
        private final LinkCollector.Part links;
        private final Buckets buckets;

        Searcher(DistinctFingerprints distinct, LinkCollector.Part links, Account memory) {
            this.distinct = distinct;
            this.links = links;
            this.buckets = new Buckets(distance, this, memory);
        }

        void run(Unit unit) {
            Slice slice = unit.slice;
            long[] values = distinct.values();
            if (unit.plan.isQuadratic()) {
                int first = slice.from() + (int) ((long) slice.size() * unit.stripe / unit.stripes);
                int end = slice.from() + (int) ((long) slice.size() * (unit.stripe + 1) / unit.stripes);
                buckets.compareStripe(values, first, end, slice.to(), unit.plan);
            } else {
                buckets.join(values, slice.from(), slice.to(), unit.plan, unit.combination);
            }
        }

        @Override
        public void pair(int a, int b, int bits) {
            links.add(a, b, bits);
        }

        @Override
        public void compared(long pairs) {
            progress.accept(pairs);
        }
    }
}
