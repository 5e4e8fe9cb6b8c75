/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.join.Values.Slice;
import org.opensearch.simhash.core.memory.Account;

/** Plans of all kinds find all links, also among more values than a thread joins as a whole. */
class PairSearchTests {

    private static final int DISTANCE = 8;
    private static final int COUNT = 70_000;
    private static final int FEW = 3_000;
    private static final int BLOCK = 7;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    @TempDir
    private Path folder;

    /** What the search tells of its memory, and may take. */
    private final List<Long> told = Collections.synchronizedList(new ArrayList<>());

    private long room = Long.MAX_VALUE / 2;

    private final SplittableRandom random = new SplittableRandom(seed.value());
    private final ExecutorService executor = Executors.newFixedThreadPool(2);

    @AfterEach
    void end() {
        executor.shutdown();
    }

    @Test
    void testDealtToBins() {
        check(COUNT);
    }

    @Test
    void testInOneBin() {
        check(FEW);
        check(1_000);
    }

    /** In half of the values, bits that separate the others are not set: bins and buckets have many sizes. */
    private void check(int count) {
        long[] values = JoinCases.uniform(count, DISTANCE + 2, random);
        for (int i = 0; i < count; i += 2) {
            values[i] &= 0x00FF_0FFF_F0F0_FFFFL;
        }
        values = Cliques.distinct(values);
        Map<Long, Integer> expected = links(values);
        RadiusPlan cheapest = JoinCost.cheapest(values, count, DISTANCE).plan();
        RadiusPlan whole = RadiusPlan.whole(DISTANCE);
        for (RadiusPlan plan : count == COUNT ? List.of(cheapest) : List.of(cheapest, whole)) {
            for (boolean inFiles : new boolean[] {false, true}) {
                assertEquals(
                        expected,
                        find(values, plan, inFiles, PairSearchTests::ignore),
                        () -> plan + ", files: " + inFiles);
            }
        }
    }

    @Test
    void testEndsWhenTheProgressSaysSo() {
        long[] values = Cliques.distinct(random.longs(COUNT).toArray());
        RadiusPlan radii = JoinCost.cheapest(values, COUNT, DISTANCE).plan();
        LongConsumer cancelled = compared -> {
            if (compared > 0) {
                throw new IllegalStateException("cancelled");
            }
        };
        assertThrows(IllegalStateException.class, () -> find(values, radii, false, cancelled));
    }

    private Map<Long, Integer> find(long[] values, RadiusPlan plan, boolean inFiles, LongConsumer progress) {
        try (FingerprintRows rows = new FingerprintRows(
                values.length, Prints.FINGERPRINTS, inFiles ? folder : null, PairSearchTests::ignore)) {
            rows.stratum(0, 0, 0);
            for (int i = 0; i < values.length; i++) {
                rows.add(i, values[i], 0, 0);
            }
            Fingerprints fingerprints = rows.fingerprints(PairSearchTests::ignore);
            List<PairSearch.Plan> plans = new ArrayList<>();
            for (Slice slice : fingerprints.slices()) {
                plans.add(new PairSearch.Plan(slice, plan));
            }
            Account account = new Account(told::add);
            LinkCollector links =
                    new LinkCollector(fingerprints, Chunks.WHOLE, Wanted.ALL, account, PairSearchTests::ignore);
            Search.Limits limits = new Search.Limits(executor, 2, room, progress, account, inFiles ? folder : null);
            new PairSearch(fingerprints, DISTANCE, limits).run(plans, links);
            Map<Long, Integer> found = new TreeMap<>();
            links.forEach((a, b, distance) -> assertEquals(
                    null,
                    found.put(link(fingerprints.addresses(a)[0], fingerprints.addresses(b)[0]), distance),
                    "a link twice"));
            assertEquals(found.size(), links.pairs());
            return found;
        }
    }

    /** The room was measured again after each: half of those that fit were made. */
    @Test
    void testAsManyThreadsDealAsThereIsRoomFor() {
        long[] values = Cliques.distinct(random.longs(COUNT).toArray());
        RadiusPlan plan = JoinCost.cheapest(values, COUNT, DISTANCE).plan();
        int bins = 1 << Math.min(DealtSlice.enoughBits(COUNT), plan.binBits(0));
        long each = Bins.Dealer.bytes(bins) + DealtSlice.SEGMENT_BYTES;
        for (int threads : new int[] {2, 1}) {
            told.clear();
            room = Long.MAX_VALUE / 2;
            find(values, plan, false, PairSearchTests::ignore);
            room = threads * each
                    + told.subList(0, told.indexOf(each)).stream()
                            .mapToLong(Long::longValue)
                            .sum();
            told.clear();
            find(values, plan, false, PairSearchTests::ignore);
            int first = told.indexOf(each);
            assertEquals(first + threads, told.indexOf(-threads * each), told::toString);
        }
    }

    /** Values may be in files: where one pass owns all pairs, none is read to know whose a link is. */
    @Test
    void testOnePassReadsNoValueOfALink() {
        Account memory = new Account(PairSearchTests::ignore);
        try (FingerprintRows rows = new FingerprintRows(0, Prints.FINGERPRINTS, null, memory);
                Column starts = new Column(3, null, memory)) {
            starts.put(1, 2);
            starts.put(2, 3);
            Fingerprints unread = new Fingerprints(rows, List.of(), null, starts, null, 2);
            LinkCollector links = new LinkCollector(unread, Chunks.WHOLE, Wanted.ALL, memory, PairSearchTests::ignore);
            links.part(0).add(0, 1, 1);
            assertEquals(2, links.pairs());
        }
    }

    /** Links differ in eight bits at most, so they agree on one of nine blocks of bits: all pairs would take a minute. */
    private static Map<Long, Integer> links(long[] values) {
        Map<Long, Integer> links = new TreeMap<>();
        for (int shift = 0; shift < Long.SIZE - BLOCK; shift += BLOCK) {
            List<List<Integer>> buckets = new ArrayList<>();
            for (int i = 0; i < 1 << BLOCK; i++) {
                buckets.add(new ArrayList<>());
            }
            for (int i = 0; i < values.length; i++) {
                buckets.get((int) (values[i] >>> shift) & ((1 << BLOCK) - 1)).add(i);
            }
            for (List<Integer> bucket : buckets) {
                int[] numbers = bucket.stream().mapToInt(Integer::intValue).toArray();
                for (int i = 0; i < numbers.length; i++) {
                    long value = values[numbers[i]];
                    for (int j = 0; j < i; j++) {
                        int distance = Long.bitCount(value ^ values[numbers[j]]);
                        if (distance <= DISTANCE) {
                            links.put(link(numbers[i], numbers[j]), distance);
                        }
                    }
                }
            }
        }
        assertTrue(links.size() > values.length / 100, "links: " + links.size());
        return links;
    }

    private static void ignore(long bytesOrPairs) {}

    private static long link(long a, long b) {
        return Math.min(a, b) << Integer.SIZE | Math.max(a, b);
    }
}
