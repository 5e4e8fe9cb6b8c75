/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.join.Linkage.LinkCheck;

class NearJoinTests {

    /** More than are compared as a whole. */
    private static final int SEVERAL = JoinCost.SMALL + JoinCost.SMALL / 8;

    @TempDir
    private Path folder;

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final AtomicLong memory = new AtomicLong();
    private final AtomicLong most = new AtomicLong();

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());

    /** Rows from this one on are of the other side. */
    private int otherSide = Integer.MAX_VALUE;

    /** A document: fingerprint or none, digest, stratum. */
    private record Row(boolean hasBits, long bits, long digest, int stratum) {

        boolean isNear(Row other, int distance) {
            if (stratum != other.stratum) {
                return false;
            }
            return (digest != 0 && digest == other.digest)
                    || (hasBits && other.hasBits && Long.bitCount(bits ^ other.bits) <= distance);
        }
    }

    @AfterEach
    void shutDown() {
        executor.shutdown();
    }

    @Test
    void testFindsThePairsOfBruteForceAtEveryDistance() {
        for (int distance = 0; distance <= 16; distance += Rounds.of(4, 1)) {
            assertSamePairs(rows(JoinCases.uniform(SEVERAL, 9, random), 1), distance, 1);
        }
    }

    @Test
    void testFindsThePairsOfBruteForceInSkewedFingerprints() {
        int[] distances = {1, 3, 5, 2, 8};
        for (int i = 0; i < Rounds.of(3, distances.length); i++) {
            assertSamePairs(rows(JoinCases.skewed(SEVERAL, random), 1), distances[i], 1);
        }
    }

    @Test
    void testFindsThePairsOfBruteForceInChains() {
        for (int distance : new int[] {0, 1, 3, 6}) {
            assertSamePairs(rows(JoinCases.chained(SEVERAL, random), 1), distance, 1);
        }
    }

    @Test
    void testComparesOnlyWithinAStratum() {
        assertSamePairs(rows(JoinCases.chained(3_000, random), 3), 3, 1);
        assertSamePairs(rows(JoinCases.chained(3_000, random), 700), 3, 1);
    }

    @Test
    void testPairsOfChunksAreAllPairs() {
        for (int chunks : new int[] {2, 3, 5}) {
            assertSamePairs(rows(JoinCases.uniform(3_000, 7, random), 2), 3, chunks);
            assertSamePairs(rows(JoinCases.skewed(2_000, random), 1), 4, chunks);
        }
    }

    /** More than a thread joins as a whole. */
    @Test
    void testFindsThePairsOfBruteForceAmongMany() {
        assertSamePairs(rows(JoinCases.skewed(69_000, random), 1), 2, 1);
    }

    @Test
    void testFilesHaveTheSameCliquesAndPairsAsTheHeap() {
        Row[] rows = rows(JoinCases.uniform(140_000, 9, random), 2);
        for (Wanted wanted : List.of(Wanted.ALL, Wanted.ALL.atMost(1), Wanted.FOREST)) {
            NearJoin.Joined heap = join(rows, 4, Chunks.WHOLE, wanted, false);
            NearJoin.Joined files = join(rows, 4, Chunks.WHOLE, wanted, true);
            assertEquals(heap.pairs(), files.pairs());
            assertEquals(heap.tooMany(), files.tooMany());
            assertArrayEquals(heap.cliques().documents(), files.cliques().documents());
            assertEquals(heap.cliques().size(), files.cliques().size());
        }
        assertEquals(0, memory.get());
    }

    @Test
    void testNothingStaysOfTheFiles() throws IOException {
        NearJoin join = new NearJoin(3, executor, 2, Long.MAX_VALUE, pairs -> {
            try (Stream<Path> files = Files.list(folder)) {
                assertEquals(List.of(), files.toList(), "while they are used");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (FingerprintRows rows = file(rows(JoinCases.uniform(80_000, 4, random), 1), Chunks.WHOLE)) {
            assertTrue(join.join(rows, Chunks.WHOLE, Wanted.ALL).pairs() > 0);
        }
    }

    @Test
    void testEqualFingerprintsAreOneClique() {
        Row[] rows = new Row[50_000];
        Arrays.fill(rows, new Row(true, 0x1234_5678_9ABC_DEF0L, 7, 0));
        NearJoin.Joined found = join(rows, 3, Chunks.WHOLE, Wanted.ALL);
        assertEquals(1, found.cliques().size());
        assertEquals(50_000L * 49_999 / 2, found.pairs());
    }

    @Test
    void testLargeSkewedBucketsAreRefined() {
        // Half of the bits never differ: blocks of equal width would put all into a few buckets.
        long[] values = new long[100_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextLong() & 0x5555_5555_5555_5555L;
        }
        AtomicLong compared = new AtomicLong();
        FingerprintRows rows = fill(rows(values, 1), Chunks.WHOLE);
        new NearJoin(3, executor, 2, Long.MAX_VALUE, compared::addAndGet).join(rows, Chunks.WHOLE, Wanted.ALL);
        assertTrue(compared.get() < 100_000_000, "compared " + compared + " of " + 5_000_000_000L);
    }

    @Test
    void testTakesAtMostSixtyFourBytesPerRow() {
        int count = 300_000;
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextLong();
        }
        join(rows(values, 1), 3, Chunks.WHOLE, Wanted.ALL);
        assertTrue(most.get() <= (long) Prints.JOIN_BYTES * count, most.get() / (double) count + " bytes per row");
        assertEquals(0, memory.get());
    }

    /** They took what the circuit breaker had left, however little a job may take. */
    @Test
    void testAllThreadsFitIntoTheAllowance() {
        int count = 100_000;
        long allowance = (long) count * Prints.JOIN_BYTES;
        for (Wanted wanted : List.of(Wanted.ALL, Wanted.FOREST)) {
            AtomicLong taken = new AtomicLong();
            AtomicLong mostTaken = new AtomicLong();
            FingerprintRows rows = new FingerprintRows(count, Prints.FINGERPRINTS, null, bytes -> {
                long now = taken.addAndGet(bytes);
                mostTaken.accumulateAndGet(now, Math::max);
            });
            announce(1, rows);
            for (int i = 0; i < count; i++) {
                rows.add(i, random.nextLong(), 0, 0);
            }
            new NearJoin(3, executor, 64, allowance, pairs -> {}).join(rows, Chunks.WHOLE, wanted);
            assertTrue(mostTaken.get() <= allowance, mostTaken.get() / (double) count + " bytes per row");
            rows.close();
        }
    }

    /** With more threads than there is heap for. */
    @Test
    void testTakesAsManyThreadsAsThereIsMemoryFor() {
        int count = 50_000;
        SplittableRandom random = new SplittableRandom(9);
        for (Wanted wanted : List.of(Wanted.ALL, Wanted.FOREST)) {
            AtomicLong taken = new AtomicLong();
            FingerprintRows rows = new FingerprintRows(count, Prints.FINGERPRINTS, null, bytes -> {
                // And the first page of the links.
                if (taken.addAndGet(bytes) > (long) count * Prints.JOIN_BYTES + (1 << 18)) {
                    taken.addAndGet(-bytes);
                    throw new CircuitBreakingException("too much", CircuitBreaker.Durability.TRANSIENT);
                }
            });
            announce(1, rows);
            long bits = 0;
            for (int i = 0; i < count; i++) {
                bits = i % 5_000 == 1 ? bits ^ 5 : random.nextLong();
                rows.add(i, bits, 0, 0);
            }
            assertEquals(
                    count / 5_000,
                    new NearJoin(3, executor, 16, Long.MAX_VALUE, pairs -> {})
                            .join(rows, Chunks.WHOLE, wanted)
                            .pairs());
        }
    }

    /** What a thread takes more than others is known when it takes it. */
    @Test
    void testManyNearOnesAreJoinedByAsManyThreadsAsThereIsMemoryFor() {
        int count = 60_000;
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            // Of most all but 40 bits are equal, and a few are near.
            values[i] = i % 6 == 0 ? random.nextLong() : random.nextLong() & 0xFF_FFFF_FFFFL;
            values[i] = i % 1_000 == 999 ? JoinCases.flip(values[i - 1], 2, random) : values[i];
        }
        long expected = limited(values, Long.MAX_VALUE).pairs();
        assertTrue(expected >= 60);
        // With as much as it was measured to take, and with what makes more threads begin than can end.
        for (long bytes = Prints.JOIN_BYTES; bytes < 200; bytes += 10) {
            assertEquals(expected, limited(values, bytes * count).pairs(), bytes + " bytes for each");
        }
    }

    private NearJoin.Joined limited(long[] values, long limit) {
        AtomicLong taken = new AtomicLong();
        FingerprintRows rows = new FingerprintRows(values.length, Prints.FINGERPRINTS, null, bytes -> {
            if (taken.addAndGet(bytes) > limit) {
                taken.addAndGet(-bytes);
                throw new CircuitBreakingException("too much", CircuitBreaker.Durability.TRANSIENT);
            }
        });
        try {
            announce(1, rows);
            for (int i = 0; i < values.length; i++) {
                rows.add(i, values[i], 0, 0);
            }
            return new NearJoin(3, executor, 16, Long.MAX_VALUE, pairs -> {}).join(rows, Chunks.WHOLE, Wanted.FOREST);
        } finally {
            rows.close();
            assertEquals(0, taken.get());
        }
    }

    @Test
    void testTellsWhoIsLinkedWhenLinksAreTooMany() {
        Row[] rows = rows(JoinCases.chained(40_000, random), 1);
        NearJoin.Joined all = join(rows, 3, Chunks.WHOLE, Wanted.ALL);
        NearJoin.Joined some = join(rows, 3, Chunks.WHOLE, Wanted.ALL.atMost(50_000));
        assertFalse(all.tooMany());
        assertTrue(some.tooMany());
        assertEquals(0, some.cliques().links().size());
        assertEquals(all.pairs(), some.pairs());
        assertArrayEquals(all.cliques().documents(), some.cliques().documents());
    }

    @Test
    void testTwoSidesHaveThePairsOfBruteForceAcrossThemAndNoOthers() {
        for (int chunks : new int[] {1, 3}) {
            assertSamePairsAcross(rows(JoinCases.uniform(SEVERAL, 9, random), 2), 3, chunks);
            assertSamePairsAcross(rows(JoinCases.uniform(SEVERAL, 9, random), 1), 0, chunks);
            assertSamePairsAcross(rows(JoinCases.chained(2_000, random), 1), 7, chunks);
            assertSamePairsAcross(rows(JoinCases.skewed(2_000, random), 1), 4, chunks);
        }
    }

    private void assertSamePairsAcross(Row[] rows, int distance, int chunks) {
        otherSide = rows.length / 3;
        Set<Long> expected = bruteForce(rows, distance);
        expected.removeIf(pair -> isAcross(pair) == false);
        long equalTexts = expected.stream()
                .filter(pair -> {
                    Row a = rows[(int) (pair >>> 32)];
                    Row b = rows[(int) (long) pair];
                    boolean areNear = a.hasBits && b.hasBits && Long.bitCount(a.bits ^ b.bits) <= distance;
                    return areNear && a.digest != 0 && a.digest == b.digest && a.bits != b.bits;
                })
                .count();
        assertTrue(expected.isEmpty() == false);
        for (boolean inFiles : new boolean[] {false, true}) {
            Set<Long> found = pairs(rows, distance, chunks, inFiles);
            found.removeIf(pair -> isAcross(pair) == false);
            assertEquals(expected, found, "distance " + distance + ", " + chunks + " chunks");
            long pairs = 0;
            for (Chunks pass : Chunks.pairs(chunks)) {
                NearJoin.Joined joined = join(rows, distance, pass, Wanted.ALL, inFiles);
                pairs += joined.pairs();
                assertNoneOfOneSide(joined.cliques());
            }
            // Those with near fingerprints and equal digests count twice.
            assertEquals(expected.size() + equalTexts, pairs);
        }
        otherSide = Integer.MAX_VALUE;
    }

    /** A value's rows of the other side are its last ones: within a part, dealt to parts, in files. */
    @Test
    void testCountsTheRowsOfTheOtherSideOfEachValue() {
        for (int size : new int[] {1_000, 40_000}) {
            int copies = size / 40;
            Row[] rows = rows(random.longs(size, 0, copies).toArray(), 2);
            otherSide = random.nextInt(size);
            for (boolean inFiles : new boolean[] {false, true}) {
                try (FingerprintRows columns = inFiles ? file(rows, Chunks.WHOLE) : fill(rows, Chunks.WHOLE)) {
                    Fingerprints values = columns.fingerprints(done -> {});
                    for (int i = 0; i < values.size(); i++) {
                        long others = Arrays.stream(values.addresses(i))
                                .filter(address -> address >= otherSide)
                                .count();
                        assertEquals(others, values.others(i));
                    }
                }
            }
        }
        otherSide = Integer.MAX_VALUE;
    }

    private boolean isAcross(long pair) {
        return pair >>> 32 < otherSide && (int) pair >= otherSide;
    }

    /** Equal fingerprints are one clique, whichever side they are of; but none is there for nothing. */
    private void assertNoneOfOneSide(Cliques cliques) {
        BitSet across = new BitSet();
        for (int i = 0; i < cliques.size(); i++) {
            long[] members = cliques.members(i);
            across.set(i, members[0] < otherSide && members[members.length - 1] >= otherSide);
        }
        cliques.links().forEach((a, b, d) -> {
            long[] both = LongStream.concat(Arrays.stream(cliques.members(a)), Arrays.stream(cliques.members(b)))
                    .sorted()
                    .toArray();
            assertTrue(both[0] < otherSide && both[both.length - 1] >= otherSide);
            across.set(a);
            across.set(b);
        });
        assertEquals(cliques.size(), across.cardinality());
    }

    @Test
    void testAForestConnectsWhatIsConnected() {
        Row[] rows = rows(JoinCases.chained(3_000, random), 1);
        Cliques all = join(rows, 3, Chunks.WHOLE, Wanted.ALL).cliques();
        Cliques forest = join(rows, 3, Chunks.WHOLE, Wanted.FOREST).cliques();
        assertTrue(forest.links().size() < 2L * forest.size(), "at most a forest per thread");
        assertEquals(chains(all), chains(forest));
    }

    static List<String> chains(Cliques cliques) {
        long[] addresses = cliques.documents();
        int[] ranks = new int[addresses.length];
        Arrays.setAll(ranks, i -> i);
        return new ChainLinkage(new NearGraph(cliques, addresses, ranks), 100_000, LinkCheck.NONE, done -> {})
                .linked().found().stream()
                        .map(group -> group.survivor() + Arrays.toString(group.members()))
                        .toList();
    }

    @Test
    void testEndsWhenTheProgressSaysSo() {
        Row[] filled = rows(JoinCases.uniform(80_000, 7, random), 1);
        for (boolean inFiles : new boolean[] {false, true}) {
            FingerprintRows rows = inFiles ? file(filled, Chunks.WHOLE) : fill(filled, Chunks.WHOLE);
            AtomicLong told = new AtomicLong();
            int last = random.nextInt(20);
            NearJoin join = new NearJoin(3, executor, 2, Long.MAX_VALUE, pairs -> {
                if (told.incrementAndGet() > last) {
                    throw new IllegalStateException("cancelled");
                }
            });
            assertEquals(
                    "cancelled",
                    assertThrows(IllegalStateException.class, () -> join.join(rows, Chunks.WHOLE, Wanted.ALL))
                            .getMessage());
            rows.close();
            assertEquals(0, memory.get());
        }
    }

    @Test
    void testEndsWhileItCollects() {
        int count = 150_000;
        AtomicLong last = new AtomicLong();
        try (FingerprintRows rows = new FingerprintRows(count, Prints.FINGERPRINTS, null, last::set)) {
            announce(1, rows);
            for (int i = 0; i < count; i++) {
                rows.add(i, i, 0, 0);
            }
            NearJoin join = new NearJoin(0, executor, 2, Long.MAX_VALUE, pairs -> {
                if (last.get() == NearJoin.RankedSet.bytes(count)) {
                    throw new IllegalStateException("cancelled");
                }
            });
            assertThrows(IllegalStateException.class, () -> join.join(rows, Chunks.WHOLE, Wanted.ALL));
        }
    }

    @Test
    void testTheProgressIsAskedWhileItMarksWhoseLinksAreWanted() {
        try (FingerprintRows rows = fill(rows(LongStream.range(0, 150_000).toArray(), 1), Chunks.WHOLE)) {
            Fingerprints fingerprints = rows.fingerprints(pairs -> {});
            Wanted wanted = new Wanted(Long.MAX_VALUE, false, new long[] {7}, null);
            AtomicLong told = new AtomicLong();
            new LinkCollector(fingerprints, Chunks.WHOLE, wanted, rows.account(), pairs -> told.incrementAndGet());
            assertEquals(3, told.get());
        }
    }

    @Test
    void testADocumentIsNoPairWithItself() {
        for (Path place : Arrays.asList(null, folder)) {
            FingerprintRows rows = new FingerprintRows(4, Prints.FINGERPRINTS, place, bytes -> {});
            rows.stratum(0, 0, 0);
            for (int document = 1; document <= 2; document++) {
                rows.add(document, 0b0000, 77, 0);
                rows.add(document, 0b0001, 77, 0);
                rows.addWithoutBits(document, 78, 0);
            }
            rows.add(3, -1L, 79, 0);
            rows.add(3, -1L, 79, 0);
            rows.add(3, -2L, 79, 0);
            NearJoin.Joined found =
                    new NearJoin(3, executor, 2, Long.MAX_VALUE, pairs -> {}).join(rows, Chunks.WHOLE, Wanted.ALL);
            // Both fingerprints, each with the other's other one, and both digests.
            assertEquals(2 + 2 + 2, found.pairs());
            assertEquals(List.of("1[2]"), chained(found.cliques()));
            rows.close();
        }
    }

    @Test
    void testEqualDigestsCountInAllSchemesAndOnlyWhereGuardsAreEqual() {
        FingerprintRows rows = new FingerprintRows(16, Prints.FINGERPRINTS, null, memory::addAndGet);
        rows.stratum(0, 0, 0);
        rows.stratum(1, 0, 1);
        rows.stratum(2, 1, 2);
        rows.add(1, 5, 77, 0);
        rows.add(2, 5, 77, 1);
        rows.add(3, 5, 77, 2);
        rows.addWithoutBits(4, 78, 0);
        rows.addWithoutBits(5, 78, 1);
        rows.addWithoutBits(6, 78, 2);
        NearJoin.Joined found =
                new NearJoin(3, executor, 2, Long.MAX_VALUE, pairs -> {}).join(rows, Chunks.WHOLE, Wanted.ALL);
        assertEquals(2, found.pairs());
        assertEquals(2, found.cliques().size());
        assertArrayEquals(new long[] {1, 2, 4, 5}, found.cliques().documents());
        rows.close();
        assertEquals(0, memory.get());
    }

    private static List<String> chained(Cliques cliques) {
        long[] addresses = cliques.documents();
        int[] ranks = new int[addresses.length];
        Arrays.setAll(ranks, i -> i);
        return new ChainLinkage(new NearGraph(cliques, addresses, ranks), 100_000, LinkCheck.NONE, done -> {})
                .linked().found().stream()
                        .map(group -> addresses[group.survivor()]
                                + Arrays.toString(Arrays.stream(group.members())
                                        .mapToLong(member -> addresses[member])
                                        .toArray()))
                        .toList();
    }

    private Row[] rows(long[] values, int strata) {
        Row[] rows = new Row[values.length];
        for (int i = 0; i < rows.length; i++) {
            int stratum = random.nextInt(strata);
            long digest = random.nextInt(20) == 0 ? 1 + random.nextInt(50) : values[i] | Long.MIN_VALUE;
            rows[i] = new Row(random.nextInt(30) > 0, values[i], random.nextInt(50) == 0 ? 0 : digest, stratum);
        }
        return rows;
    }

    private FingerprintRows fill(Row[] rows, Chunks chunks) {
        FingerprintRows columns = new FingerprintRows(rows.length, Prints.FINGERPRINTS, null, this::count);
        fill(rows, chunks, columns);
        return columns;
    }

    private static void announce(int strata, RowSink rows) {
        for (int stratum = 0; stratum < strata; stratum++) {
            rows.stratum(stratum, stratum, stratum);
        }
    }

    private void count(long bytes) {
        long now = memory.addAndGet(bytes);
        most.accumulateAndGet(now, Math::max);
    }

    private void fill(Row[] rows, Chunks chunks, FingerprintRows sink) {
        announce(1 + Arrays.stream(rows).mapToInt(Row::stratum).max().orElse(0), sink);
        for (int i = 0; i < rows.length; i++) {
            Row row = rows[i];
            if (i == otherSide) {
                sink.otherSide();
            }
            if (row.hasBits && chunks.contains(row.bits)) {
                sink.add(i, row.bits, row.digest, row.stratum);
            } else if (row.hasBits == false && chunks.contains(row.digest)) {
                sink.addWithoutBits(i, row.digest, row.stratum);
            }
        }
    }

    /** Of which fewer or more were expected. */
    private FingerprintRows file(Row[] rows, Chunks chunks) {
        FingerprintRows files =
                new FingerprintRows(random.nextInt(2 * rows.length), Prints.FINGERPRINTS, folder, this::count);
        fill(rows, chunks, files);
        return files;
    }

    private NearJoin.Joined join(Row[] rows, int distance, Chunks chunks, Wanted wanted) {
        return join(rows, distance, chunks, wanted, false);
    }

    private NearJoin.Joined join(Row[] rows, int distance, Chunks chunks, Wanted wanted, boolean inFiles) {
        try (FingerprintRows columns = inFiles ? file(rows, chunks) : fill(rows, chunks)) {
            return new NearJoin(distance, executor, 2, Long.MAX_VALUE, pairs -> {}).join(columns, chunks, wanted);
        }
    }

    private void assertSamePairs(Row[] rows, int distance, int chunks) {
        Set<Long> expected = bruteForce(rows, distance);
        for (boolean inFiles : new boolean[] {false, true}) {
            String what = "distance " + distance + ", " + chunks + " chunks" + (inFiles ? ", in files" : "");
            assertEquals(expected, pairs(rows, distance, chunks, inFiles), what);
        }
    }

    /** Near ones have nearly as many bits set, or equal digests: billions of pairs would take a minute. */
    private static Set<Long> bruteForce(Row[] rows, int distance) {
        int[] order = IntStream.range(0, rows.length)
                .boxed()
                .sorted(Comparator.comparingInt(i -> Long.bitCount(rows[i].bits)))
                .mapToInt(Integer::intValue)
                .toArray();
        long[] bits = Arrays.stream(order).mapToLong(i -> rows[i].bits).toArray();
        Set<Long> near = new HashSet<>();
        for (int i = 0, end = 0; i < bits.length; i++) {
            while (end < bits.length && Long.bitCount(bits[end]) <= Long.bitCount(bits[i]) + distance) {
                end++;
            }
            for (int j = i + 1; j < end; j++) {
                long differ = bits[i] ^ bits[j];
                if (distance > 3 ? Long.bitCount(differ) <= distance : hasAtMostThree(differ)) {
                    addNear(rows, order[i], order[j], distance, near);
                }
            }
        }
        IntStream.range(0, rows.length)
                .boxed()
                .collect(Collectors.groupingBy(i -> rows[i].digest))
                .values()
                .forEach(equal -> equal.forEach(i -> equal.forEach(j -> addNear(rows, i, j, distance, near))));
        return near;
    }

    private static void addNear(Row[] rows, int a, int b, int distance, Set<Long> near) {
        if (a != b && rows[a].isNear(rows[b], distance)) {
            near.add((long) Math.min(a, b) << 32 | Math.max(a, b));
        }
    }

    /** The JVM of the tests does not optimise: three bits are taken away in a third of the time that all are counted in. */
    private static boolean hasAtMostThree(long bits) {
        long left = bits & bits - 1;
        left &= left - 1;
        return (left & left - 1) == 0;
    }

    private Set<Long> pairs(Row[] rows, int distance, int chunks, boolean inFiles) {
        Set<Long> found = new HashSet<>();
        for (Chunks pair : Chunks.pairs(chunks)) {
            Cliques cliques = join(rows, distance, pair, Wanted.ALL, inFiles).cliques();
            for (int i = 0; i < cliques.size(); i++) {
                addPairs(cliques, i, i, found);
            }
            Set<Long> linked = new HashSet<>();
            cliques.links().forEach((a, b, d) -> {
                assertTrue(linked.add((long) Math.min(a, b) << 32 | Math.max(a, b)), "a link twice");
                assertEquals(d, Long.bitCount(cliques.bits()[a] ^ cliques.bits()[b]));
                addPairs(cliques, a, b, found);
            });
        }
        assertEquals(0, memory.get());
        return found;
    }

    private static void addPairs(Cliques cliques, int a, int b, Set<Long> pairs) {
        for (int i = cliques.starts()[a]; i < cliques.starts()[a + 1]; i++) {
            for (int j = cliques.starts()[b]; j < cliques.starts()[b + 1]; j++) {
                long first = cliques.addresses()[i];
                long second = cliques.addresses()[j];
                if (first != second) {
                    pairs.add(Math.min(first, second) << 32 | Math.max(first, second));
                }
            }
        }
    }
}
