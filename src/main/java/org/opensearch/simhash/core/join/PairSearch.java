/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import org.opensearch.simhash.core.join.RadiusPlan.RadiusJoin;
import org.opensearch.simhash.core.join.Search.Limits;
import org.opensearch.simhash.core.join.Values.Slice;
import org.opensearch.simhash.core.memory.Account;

/**
 * Finds the links of all strata on several threads. Small strata are joined as a whole. Large ones are dealt to bins,
 * one block after the other, and one thread joins each bin in the processor's cache.
 */
record PairSearch(Values fingerprints, int distance, Limits limits) {

    record Plan(Slice slice, RadiusPlan join) {}

    /** Finds the links of values, within the distance of these. */
    static Search of(Values values, int distance, List<Plan> plans) {
        return (links, limits) -> new PairSearch(values, distance, limits).run(plans, links);
    }

    /** Larger slices are dealt to bins. */
    private static final int WHOLE = 1 << 16;

    /** Larger slices are split by block among threads. */
    private static final int PARTED = 1 << 11;

    private static final int STRIPES = 64;

    /** Per value of the largest bin: as read, sorted, with the bin that it is compared with; and the starts of buckets of two values or more. */
    private static final int SEARCHED_BYTES = Bins.BYTES + 2 * RadiusJoin.BYTES + Integer.BYTES;

    /** Reserved for a thread that deals. */
    private static final long DEALING = 1 << 19;

    /** Threads that {@link Prints#JOIN_BYTES} includes. */
    private static final int THREADS = 2;

    /** A part of one slice: the links of one block and none before it, or a stripe of a full comparison, or all. */
    private record Unit(Plan plan, int part, int parts) {}

    void run(List<Plan> plans, LinkCollector links) {
        List<Unit> units = new ArrayList<>();
        List<DealtSlice> dealt = new ArrayList<>();
        int largest = 0;
        long binned = 0;
        for (Plan plan : plans) {
            if (plan.slice.size() > WHOLE && plan.join.isWhole() == false) {
                binned = limits.folder() == null ? Math.max(binned, (long) plan.slice.size() * Bins.BYTES) : 0;
                dealt.add(new DealtSlice(fingerprints, plan.slice, plan.join, limits.progress()));
            } else {
                largest = Math.max(largest, plan.slice.size());
                int parts = plan.slice.size() <= PARTED ? 1 : plan.join.isWhole() ? STRIPES : plan.join.deals();
                for (int part = 0; part < parts; part++) {
                    units.add(new Unit(plan, part, parts));
                }
            }
        }
        for (DealtSlice slice : dealt) {
            parallel(slice.segments(), List.of(slice::count));
            largest = Math.max(largest, slice.largestBin());
        }
        // The largest units first, so that the last ones to end are small.
        units.sort(
                Comparator.comparingInt((Unit unit) -> unit.plan.slice.size()).reversed());
        long room = limits.room() - binned;
        try (Account searching = new Account(limits.memory())) {
            List<Searcher> searchers = searchers(largest, links, room, searching);
            parallel(units.size(), works(searchers, (searcher, unit) -> searcher.run(units.get(unit))));
            for (DealtSlice slice : dealt) {
                join(slice, searchers);
            }
        }
    }

    /** At least one thread deals. */
    private void join(DealtSlice slice, List<Searcher> searchers) {
        for (int deal = 0; deal < slice.plan().deals(); deal++) {
            int number = deal;
            try (Bins bins = new Bins(slice.starts(deal), limits.folder(), limits.memory());
                    Account dealing = new Account(limits.memory())) {
                List<Bins.Dealer> dealers = new ArrayList<>();
                List<IntConsumer> works = new ArrayList<>();
                long each = Bins.Dealer.bytes(slice.bins(deal)) + DealtSlice.SEGMENT_BYTES;
                int fitting = Math.clamp((limits.room() - limits.memory().taken()) / each, 1, searchers.size());
                for (int i = 0; i < fitting; i++) {
                    dealing.take(each);
                    Bins.Dealer dealer = new Bins.Dealer(bins, slice.bins(deal));
                    dealers.add(dealer);
                    works.add(slice.dealing(number, dealer));
                }
                parallel(slice.segments(), works);
                dealers.forEach(Bins.Dealer::end);
                dealers.clear();
                works.clear();
                dealing.give(dealing.taken());
                parallel(slice.bins(deal), works(searchers, (searcher, bin) -> searcher.run(slice, number, bins, bin)));
            }
        }
    }

    private static List<IntConsumer> works(List<Searcher> searchers, ObjIntConsumer<Searcher> work) {
        return searchers.stream()
                .map(searcher -> (IntConsumer) unit -> work.accept(searcher, unit))
                .toList();
    }

    /** Runs units, one thread per work. */
    private void parallel(int units, List<IntConsumer> works) {
        if (units > 0) {
            ParallelUnits run = new ParallelUnits(units);
            works.forEach(run::addRunner);
            run.await(limits.executor(), () -> limits.progress().accept(0));
        }
    }

    /** One searcher per thread, as many as memory allows. */
    private List<Searcher> searchers(int largest, LinkCollector links, long room, Account searching) {
        long bytes = (long) largest * SEARCHED_BYTES;
        long each = bytes + links.partBytes();
        long more = (room - limits.memory().taken() - DEALING) / Math.max(1, each);
        int fitting = (int) Math.min(limits.maxThreads(), Math.max(THREADS, more));
        // Each searcher accounts for itself; the first may need less than planned.
        try (Account expected = new Account(limits.memory())) {
            return Search.forThreads(fitting, i -> {
                expected.take(i == 0 ? 0 : (i + 1) * bytes - expected.taken());
                return new Searcher(links.part(i), searching);
            });
        }
    }

    private final class Searcher implements RadiusJoin.Sink {

        private final LinkCollector.Part links;
        private final RadiusJoin join;
        private final Comparer comparer;
        private final Bins.Room room;

        /** Of the numbers that are searched. */
        private int first;

        Searcher(LinkCollector.Part links, Account memory) {
            this.links = links;
            this.room = new Bins.Room(memory);
            this.join = new RadiusJoin(distance, this, memory);
            this.comparer = new Comparer(distance, this::whole, this::compared);
        }

        void run(Unit unit) {
            Slice slice = unit.plan.slice;
            RadiusPlan plan = unit.plan.join;
            int count = slice.size();
            first = slice.from();
            room.requireValues(count);
            fingerprints.read(first, count, room.values);
            if (plan.isWhole()) {
                int start = (int) ((long) count * unit.part / unit.parts);
                int end = (int) ((long) count * (unit.part + 1) / unit.parts);
                comparer.within(room.values, start, end);
                comparer.between(room.values, start, end, room.values, end, count);
                comparer.reportCompared();
                return;
            }
            for (int block = unit.part; block < plan.deals(); block += unit.parts) {
                join.join(plan, block, 0, 0, bin -> new Bins.Bin(room.values, null, 0, count));
            }
        }

        private void whole(int i, int j, long differing) {
            pair(i, j, Long.bitCount(differing));
        }

        void run(DealtSlice slice, int deal, Bins bins, int bin) {
            first = 0;
            if (bins.size(bin) > 0) {
                join.join(slice.plan(), deal, slice.binBits(deal), bin, number -> bins.get(number, room));
            }
        }

        @Override
        public void pair(int a, int b, int bits) {
            int between = fingerprints.distance(first + a, first + b, bits);
            if (between >= 0) {
                links.add(first + a, first + b, between);
            }
        }

        @Override
        public void compared(long pairs) {
            limits.progress().accept(pairs);
        }
    }
}
