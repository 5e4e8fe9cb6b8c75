/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.lucene.tests.util.RamUsageTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.join.Linkage.Group;
import org.opensearch.simhash.core.join.Linkage.LinkCheck;
import org.opensearch.simhash.core.join.Linkage.TextWindow;
import org.opensearch.simhash.core.memory.Account;

class LinkageTests {

    private static final int DISTANCE = 3;

    private final ExecutorService executor = Executors.newFixedThreadPool(2);

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());

    @AfterEach
    void shutDown() {
        executor.shutdown();
    }

    @Test
    void testGroupsAreThoseOfBruteForce() {
        for (int round = 0; round < Rounds.of(8, 200); round++) {
            for (long[] values : List.of(
                    JoinCases.uniform(600, 6, random),
                    JoinCases.skewed(300, random),
                    JoinCases.chained(400, random),
                    repeated(JoinCases.chained(40, random), 300))) {
                int max = 2 + random.nextInt(20);
                assertSameGroups(values, random.nextBoolean() ? max : 1_000, LinkCheck.NONE);
                assertSameGroups(values, random.nextBoolean() ? max : 1_000, new EveryThird());
                assertSameGroups(
                        values,
                        random.nextBoolean() ? max : 1_000,
                        new LongOrBlank(new EveryThird(), 2 + random.nextInt(20)));
                assertSameGroups(values, random.nextBoolean() ? max : 1_000, new OfSeveralSources());
            }
        }
    }

    @Test
    void testAMillionEqualDocumentsAreCutWhereNoGroupCanBeLarger() {
        FingerprintRows rows = new FingerprintRows(1_000_000, Prints.FINGERPRINTS, null, bytes -> {});
        rows.stratum(0, 0, 0);
        int[] ranks = new int[1_000_000];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = ranks.length - 1 - i;
            rows.add(i, 42, 7, 0);
        }
        NearGraph graph = graph(rows, ranks);
        SurvivorLinkage linkage = new SurvivorLinkage(ranks.length, 1_000, LinkCheck.NONE, done -> {});
        List<Group> groups = linked(linkage, graph);
        assertEquals(10, groups.size());
        assertEquals(1, linkage.splitGroups());
        assertTrue(groups.stream().allMatch(group -> group.size() == 100_000));
        assertEquals(0, groups.getFirst().survivor());
        assertEquals(999, groups.getFirst().members()[998]);
        ChainLinkage chain = new ChainLinkage(graph, 1_000, LinkCheck.NONE, done -> {});
        assertEquals(text(groups), text(chain.linked().found()));
        assertEquals(1, chain.splitGroups());
    }

    /** What the first group has no room for, the second takes as a whole: beside its equal, also beyond the limit. */
    @Test
    void testAGroupThatTakesWhatAnotherLeftIsNotSplit() {
        long left = 0b111_000;
        SurvivorLinkage linkage = new SurvivorLinkage(5, 2, LinkCheck.NONE, done -> {});
        List<Group> groups =
                linked(linkage, graph(rows(new long[] {0, 1, 0b111_111_000, left, left}), new int[] {0, 1, 2, 3, 4}));
        assertEquals(List.of(2, 3), groups.stream().map(Group::size).toList());
        assertEquals(1, linkage.splitGroups());
    }

    /** Equal documents of two sources, five of them of the second, where only those of different sources are linked. */
    @Test
    void testDocumentsThatMayNeverBeLinkedAreNotTriedOneByOne() {
        int count = 50_000;
        OfTwoSources check = new OfTwoSources(10_000, 10_005);
        SurvivorLinkage linkage = new SurvivorLinkage(count, 1_000, check, done -> {});
        List<Group> groups = linked(linkage, graph(rows(new long[count]), ranks(count)));
        assertEquals(List.of("0 [10000, 10001, 10002, 10003, 10004]"), text(groups));
        assertTrue(check.tried < 10_000L * 1_000 + 20L * count, "tried " + check.tried);
    }

    /** Those of the second source are near the others, and not equal. */
    @Test
    void testInAChainEqualDocumentsOfOneSourceAreNotTriedOneByOne() {
        int count = 50_000;
        OfTwoSources check = new OfTwoSources(10_000, 10_005);
        long[] values = new long[count];
        Arrays.fill(values, 10_000, 10_005, 1);
        NearGraph graph = graph(rows(values), IntStream.range(0, count).toArray());
        List<Group> groups =
                new ChainLinkage(graph, count, check, done -> {}).linked().found();
        assertEquals(List.of(count), groups.stream().map(Group::size).toList());
        assertTrue(check.tried < 20L * count, "tried " + check.tried);
    }

    /** It compared what a thousand documents are linked with first. */
    @Test
    void testAChainThatTriesManyInVainEndsWhenTheProgressSaysSo() {
        int count = 20_000;
        AtomicLong tried = new AtomicLong();
        LinkCheck check = new EveryThird() {
            @Override
            public boolean mayLink(int a, int b) {
                tried.incrementAndGet();
                return false;
            }
        };
        int[] told = new int[1];
        IntConsumer progress = done -> {
            if (++told[0] == 5) {
                throw new IllegalStateException("cancelled at " + done);
            }
        };
        ChainLinkage chain = new ChainLinkage(graph(rows(new long[count]), ranks(count)), count, check, progress);
        assertThrows(IllegalStateException.class, chain::linked);
        assertTrue(tried.get() <= 5L * count, "tried " + tried);
    }

    @Test
    void testFingerprintsOfTwoSchemesHaveNoDistance() {
        Cliques.Builder cliques = new Cliques.Builder(bytes -> {});
        cliques.add(new long[] {0, 1}, 0b100, 70, false);
        cliques.add(new long[] {2, 3}, 0b101, 70, false);
        cliques.add(new long[] {4, 5}, 0b100, -70, false);
        int[] ranks = {0, 1, 2, 3, 4, 5};
        NearGraph graph = new NearGraph(cliques.build(), new long[] {0, 1, 2, 3, 4, 5}, ranks);
        assertEquals(0, graph.distance(0, 1));
        assertEquals(1, graph.distance(0, 2));
        assertEquals(-1, graph.distance(0, 4));
        assertTrue(graph.isNearer(0, 2, 4));
    }

    /** A chain, while it makes its groups, takes more than what is left then. */
    @Test
    void testAGraphAndItsLinkageTakeNoMoreThanIsAccountedFor() {
        int count = 100_000;
        Cliques found = new NearJoin(DISTANCE, executor, 2, Long.MAX_VALUE, pairs -> {})
                .join(rows(JoinCases.uniform(count, DISTANCE, random)), Chunks.WHOLE, Wanted.ALL)
                .cliques();
        int[] ranks = ranks(count);
        NearGraph graph = new NearGraph(found, LongStream.range(0, count).toArray(), ranks);
        long known = found.bytes() - found.bytesReplacedByGraph() + NearGraph.bytes(found, count);
        SurvivorLinkage survivors = new SurvivorLinkage(count, 1_000, LinkCheck.NONE, done -> {});
        survivors.link(graph, 0, count);
        assertAccounted(known + survivors.groupBytes(), survivors);
        AtomicLong taken = new AtomicLong(known);
        Linkage chain = Linkage.chain(graph, 1_000, new EveryThird(), taken::addAndGet, done -> {});
        assertAccounted(taken.get() + chain.groupBytes(), chain);
    }

    private static void assertAccounted(long bytes, Linkage linkage) {
        long taken = RamUsageTester.ramUsed(linkage);
        // What does not grow with the documents.
        assertTrue(taken <= bytes + (1 << 16), taken + " bytes taken, " + bytes + " accounted for");
        assertTrue(taken > bytes / 3, taken + " bytes taken, " + bytes + " accounted for");
    }

    /** Of two schemes: equal and near fingerprints of another one do not count. */
    @Test
    void testAScanStaysWithinItsStratum() {
        FingerprintRows rows = new FingerprintRows(8, Prints.FINGERPRINTS, null, bytes -> {});
        rows.stratum(0, 0, 70);
        rows.stratum(1, 0, -70);
        for (int i = 0; i < 8; i++) {
            rows.add(i, i / 2 % 2, 0, i % 2);
        }
        NearGraph graph = graph(rows, new int[] {0, 1, 2, 3, 4, 5, 6, 7});
        SurvivorLinkage linkage = new SurvivorLinkage(8, 10, LinkCheck.NONE, done -> {});
        linkage.link(graph, new CliqueScan(graph, DISTANCE, new Account(bytes -> {}), pairs -> {}), 0, 8);
        assertEquals(List.of("0 [2, 4, 6]", "1 [3, 5, 7]"), text(linkage.found()));
    }

    @Test
    void testAScanComparesNoPairTwice() {
        int count = 10_000;
        long[] values = LongStream.range(0, count).toArray();
        AtomicLong memory = new AtomicLong();
        for (int max : new int[] {2, 1_000}) {
            Account account = new Account(memory::addAndGet);
            AtomicLong told = new AtomicLong();
            NearGraph graph = graph(rows(values), ranks(count));
            // Each is near each.
            CliqueScan scan = new CliqueScan(graph, Long.SIZE, account, told::addAndGet);
            SurvivorLinkage linkage = new SurvivorLinkage(count, max, LinkCheck.NONE, done -> {});
            linkage.link(graph, scan, 0, count);
            long pairs = (long) graph.cliques() * graph.cliques() / 2;
            assertTrue(scan.compared() > 0 && scan.compared() <= pairs, scan.compared() + " of " + pairs);
            assertTrue(told.get() <= scan.compared() && told.get() > scan.compared() - (2 << 20), "told");
            account.close();
            assertEquals(0, memory.get());
        }
    }

    /** A document may be near another one by each of its fingerprints. */
    @Test
    void testAScanLinksDocumentsWithSeveralFingerprints() {
        for (int round = 0; round < Rounds.of(8, 200); round++) {
            int documents = 2 + random.nextInt(200);
            FingerprintRows rows = new FingerprintRows(16, Prints.FINGERPRINTS, null, bytes -> {});
            rows.stratum(0, 0, 0);
            for (int i = 0; i < documents; i++) {
                for (long value :
                        random.longs(1 + random.nextInt(3), 0, 60).distinct().toArray()) {
                    rows.add(i, value, 0, 0);
                }
            }
            NearGraph graph = graph(rows, ranks(documents));
            int max = 2 + random.nextInt(20);
            SurvivorLinkage linked = new SurvivorLinkage(documents, max, LinkCheck.NONE, done -> {});
            linked.link(graph, 0, documents);
            SurvivorLinkage scanned = new SurvivorLinkage(documents, max, LinkCheck.NONE, done -> {});
            scanned.link(graph, new CliqueScan(graph, DISTANCE, new Account(bytes -> {}), pairs -> {}), 0, documents);
            assertEquals(text(linked.found()), text(scanned.found()));
            assertEquals(linked.splitGroups(), scanned.splitGroups());
        }
    }

    @Test
    void testTextsAreExpectedBeforeTheyAreCompared() {
        long[] values = repeated(JoinCases.chained(40, random), 3_000);
        int[] ranks = ranks(values.length);
        NearGraph graph = graph(rows(values), ranks);
        for (int max : new int[] {10, 2_500}) {
            linked(new SurvivorLinkage(ranks.length, max, new Watched(new EveryThird()), done -> {}), graph);
            new ChainLinkage(graph, max, new Watched(new EveryThird()), done -> {})
                    .linked()
                    .found();
        }
    }

    /** Error pages, for example. */
    @Test
    void testOfManyEqualFingerprintsEachTextIsReadAFewTimes() {
        int count = 20_000;
        NearGraph graph = graph(rows(new long[count]), ranks(count));
        for (int max : new int[] {10, 1_000, 3_000}) {
            Watched check = new Watched(new EqualBut(-1));
            SurvivorLinkage survivor = new SurvivorLinkage(count, max, check, done -> {});
            assertEquals(1, linked(survivor, graph).size());
            assertEquals(0, survivor.splitGroups());
            assertEquals(count - 1, check.compared);
            assertTrue(check.read < 2L * count, "read " + check.read);
        }
    }

    /** Scanned pages, for example, whose fingerprint is that of their template. */
    @Test
    void testOfManyWithoutATextEachIsReadAFewTimes() {
        int count = 20_000;
        NearGraph graph = graph(rows(new long[count]), ranks(count));
        Watched survivors = new Watched(new LongOrBlank(new EqualBut(-1), TextWindow.SIZE));
        linked(new SurvivorLinkage(count, 10, survivors, done -> {}), graph);
        assertTrue(survivors.read < 2L * count, "read " + survivors.read);
        Watched chain = new Watched(new LongOrBlank(new EqualBut(-1), TextWindow.SIZE));
        new ChainLinkage(graph, count, chain, done -> {}).linked().found();
        assertTrue(chain.read < 2L * count, "read " + chain.read);
        LinkCheck none = new LinkCheck() {
            private final BitSet read = new BitSet();

            @Override
            public int expect(int[] documents) {
                Arrays.stream(documents).forEach(read::set);
                return documents.length;
            }

            @Override
            public boolean isComparable(int document) {
                return read.get(document) == false;
            }

            @Override
            public double similarity(int a, int b) {
                throw new AssertionError("no text in " + a + " nor " + b);
            }
        };
        Watched blank = new Watched(none);
        assertEquals(List.of(), linked(new SurvivorLinkage(count, 10, blank, done -> {}), graph));
        assertTrue(blank.read < 2L * count, "read " + blank.read);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void testInAChainWhatIsUnitedIsNotLookedAtAgain() {
        int count = 100_000;
        NearGraph graph = graph(rows(new long[count]), ranks(count));
        // All belong together, or all but the first one.
        for (int other : new int[] {-1, 0}) {
            Watched check = new Watched(new EqualBut(other));
            ChainLinkage chain = new ChainLinkage(graph, count, check, done -> {});
            assertEquals(1, chain.linked().found().size());
            assertEquals(other < 0 ? count - 1 : 2L * count - 3, check.compared);
            assertTrue(check.read < 4L * count, "read " + check.read);
        }
    }

    /** Thousands of mails with one footer, of which two have more in common. They are last. */
    @Test
    void testWhoHasComparedEnoughInVainGivesUpButTriesTheLikeliestFirst() {
        int count = 3_000;
        long[] all = LongStream.range(0, count).toArray();
        Cliques.Builder cliques = new Cliques.Builder(bytes -> {});
        cliques.addEqualTexts(all.clone());
        cliques.addEqualTexts(new long[] {count - 2, count - 1});
        Impatient survivors = new Impatient(count - 2);
        NearGraph graph = new NearGraph(cliques.build(), all, ranks(count));
        Watched watched = new Watched(survivors);
        int last = random.nextInt(2) == 0 ? 10 : 100_000;
        List<Group> groups = linked(new SurvivorLinkage(count, last, watched, done -> {}), graph);
        assertEquals(List.of(count - 2 + " [" + (count - 1) + "]"), text(groups));
        assertTrue(watched.compared <= (long) Impatient.PATIENCE * count, "compared " + watched.compared);
        assertTrue(watched.read < 2L * count, "read " + watched.read);
        assertEquals(count - 1 - Impatient.PATIENCE, survivors.gaveUp);
        Impatient chained = new Impatient(count - 2);
        Watched ofChain = new Watched(chained);
        assertEquals(
                text(groups),
                text(new ChainLinkage(graph, last, ofChain, done -> {}).linked().found()));
        assertTrue(ofChain.compared <= (long) Impatient.PATIENCE * count, "compared " + ofChain.compared);
        assertTrue(ofChain.read < 4L * count, "read " + ofChain.read);
        assertEquals(survivors.gaveUp, chained.gaveUp);
    }

    /** It was that of the last link that was found at a document, and of some members none. */
    @Test
    void testInAChainTheLowestSimilarityIsThatOfTheWeakestLink() {
        double[][] similarities = {{1, 0, 0.87, 0}, {0, 1, 0, 0.91}, {0.87, 0, 1, 0.9}, {0, 0.91, 0.9, 1}};
        LinkCheck check = new LinkCheck() {
            @Override
            public int expect(int[] documents) {
                return documents.length;
            }

            @Override
            public double similarity(int a, int b) {
                return similarities[a][b] > 0.8 ? similarities[a][b] : -1;
            }
        };
        NearGraph graph = graph(rows(new long[4]), ranks(4));
        List<Group> groups =
                new ChainLinkage(graph, 10, check, done -> {}).linked().found();
        assertEquals(1, groups.size());
        assertEquals(0, groups.getFirst().survivor());
        assertArrayEquals(new int[] {1, 2, 3}, groups.getFirst().members());
        assertArrayEquals(new double[] {0.91, 0.87, 0.9}, groups.getFirst().similarities());
    }

    @Test
    void testEndsWhenTheProgressSaysSo() {
        int count = 20_000;
        NearGraph graph = graph(rows(new long[count]), ranks(count));
        int[] told = new int[1];
        IntConsumer progress = done -> {
            if (++told[0] % 5 == 0) {
                throw new IllegalStateException("cancelled at " + done);
            }
        };
        Watched none = new Watched(new EqualBut(0));
        assertThrows(
                IllegalStateException.class, () -> linked(new SurvivorLinkage(count, count, none, progress), graph));
        assertThrows(
                IllegalStateException.class,
                () -> new ChainLinkage(graph, count, none, progress).linked().found());
        assertTrue(none.compared <= 10L * TextWindow.SIZE, "compared " + none.compared);
    }

    @Test
    void testTheLargestGroupSizeSplitsNothing() {
        long[] values = {1, 2, 0xFF00, 1, 0xFF01, 2};
        int[] ranks = {0, 1, 2, 3, 4, 5};
        for (LinkCheck check : List.of(LinkCheck.NONE, new Watched(new EqualBut(-1)))) {
            NearGraph graph = graph(rows(values), ranks);
            SurvivorLinkage survivor = new SurvivorLinkage(ranks.length, Integer.MAX_VALUE, check, done -> {});
            assertEquals(List.of("0 [1, 3, 5]", "2 [4]"), text(linked(survivor, graph)));
            ChainLinkage chain = new ChainLinkage(graph, Integer.MAX_VALUE, check, done -> {});
            assertEquals(List.of("0 [1, 3, 5]", "2 [4]"), text(chain.linked().found()));
            assertEquals(0, chain.splitGroups());
        }
    }

    private long[] repeated(long[] values, int count) {
        long[] repeated = new long[count];
        for (int i = 0; i < count; i++) {
            repeated[i] = values[random.nextInt(values.length)];
        }
        return repeated;
    }

    private int[] ranks(int count) {
        List<Integer> ranks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ranks.add(i);
        }
        Collections.shuffle(ranks, new Random(random.nextLong()));
        return ranks.stream().mapToInt(Integer::intValue).toArray();
    }

    private static FingerprintRows rows(long[] values) {
        FingerprintRows rows = new FingerprintRows(values.length, Prints.FINGERPRINTS, null, bytes -> {});
        rows.stratum(0, 0, 0);
        for (int i = 0; i < values.length; i++) {
            rows.add(i, values[i], 0, 0);
        }
        return rows;
    }

    /** All documents are in the graph, those without links too: the ranks of addresses are given. */
    private NearGraph graph(FingerprintRows rows, int[] ranks) {
        return graph(rows, ranks, Wanted.ALL);
    }

    private NearGraph graph(FingerprintRows rows, int[] ranks, Wanted wanted) {
        Cliques cliques = new NearJoin(DISTANCE, executor, 2, Long.MAX_VALUE, pairs -> {})
                .join(rows, Chunks.WHOLE, wanted)
                .cliques();
        long[] addresses = new long[ranks.length];
        Arrays.setAll(addresses, i -> i);
        return new NearGraph(cliques, addresses, ranks);
    }

    private void assertSameGroups(long[] values, int maxGroupSize, LinkCheck check) {
        int[] ranks = ranks(values.length);
        long[] byRank = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            byRank[ranks[i]] = values[i];
        }
        String hint = "max " + maxGroupSize;
        SurvivorLinkage survivor = new SurvivorLinkage(ranks.length, maxGroupSize, watched(check), done -> {});
        List<Group> groups = linked(survivor, graph(rows(values), ranks));
        AtomicInteger split = new AtomicInteger();
        assertEquals(byHand(byRank, maxGroupSize, check, split), text(groups), hint);
        assertSplit(split.get(), survivor, hint);
        assertEquals(text(groups), text(inRounds(values, ranks, maxGroupSize, check)), hint);
        SurvivorLinkage scanning = scanned(values, ranks, maxGroupSize, check);
        assertEquals(text(groups), text(scanning.found()), hint);
        assertSplit(split.get(), scanning, hint);
        ChainLinkage chain = new ChainLinkage(graph(rows(values), ranks), maxGroupSize, watched(check), done -> {});
        assertEquals(
                chainsByHand(byRank, maxGroupSize, check), text(chain.linked().found()), hint);
        for (Group group : groups) {
            for (int i = 0; i < group.members().length; i++) {
                assertEquals(
                        Long.bitCount(byRank[group.survivor()] ^ byRank[group.members()[i]]),
                        group.distances()[i],
                        hint);
            }
        }
        for (int i = 0; i < groups.size(); i++) {
            assertArrayEquals(groups.get(i).distances(), scanning.found().get(i).distances(), hint);
        }
    }

    /** What another document has taken in between may count once more. */
    private static void assertSplit(int split, SurvivorLinkage linkage, String hint) {
        assertTrue(split <= linkage.splitGroups(), hint);
        assertEquals(split == 0, linkage.splitGroups() == 0, hint);
    }

    /** A few documents at a time, with links of these alone. */
    private List<Group> inRounds(long[] values, int[] ranks, int maxGroupSize, LinkCheck check) {
        SurvivorLinkage linkage = new SurvivorLinkage(values.length, maxGroupSize, watched(check), done -> {});
        int[] byRank = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            byRank[ranks[i]] = i;
        }
        int next = 0;
        while (next < values.length) {
            int from = next;
            int to = Math.min(values.length, from + 1 + random.nextInt(values.length / 3));
            long[] some =
                    IntStream.range(from, to).mapToLong(i -> byRank[i]).sorted().toArray();
            FingerprintRows rows = new FingerprintRows(values.length, Prints.FINGERPRINTS, null, bytes -> {});
            rows.stratum(0, 0, 0);
            for (int rank = from; rank < values.length; rank++) {
                if (linkage.isTaken(rank) == false) {
                    rows.add(byRank[rank], values[byRank[rank]], 0, 0);
                }
            }
            linkage.link(graph(rows, ranks, new Wanted(Long.MAX_VALUE, false, some, null)), from, to);
            next = to;
        }
        return linkage.found();
    }

    /** Some documents are joined, the others compared without links. */
    private SurvivorLinkage scanned(long[] values, int[] ranks, int maxGroupSize, LinkCheck check) {
        SurvivorLinkage linkage = new SurvivorLinkage(values.length, maxGroupSize, watched(check), done -> {});
        NearGraph graph = graph(rows(values), ranks);
        CliqueScan scan = new CliqueScan(graph, DISTANCE, new Account(bytes -> {}), pairs -> {});
        int next = 0;
        while (next < values.length) {
            int to = Math.min(values.length, next + 1 + random.nextInt(values.length));
            if (random.nextInt(4) == 0) {
                linkage.link(graph, next, to);
            } else {
                linkage.link(graph, scan, next, to);
            }
            next = to;
        }
        return linkage;
    }

    private static List<Group> linked(SurvivorLinkage linkage, NearGraph graph) {
        linkage.link(graph, 0, graph.documents());
        return linkage.found();
    }

    private static List<String> text(List<Group> groups) {
        return groups.stream()
                .map(group -> group.survivor() + " " + Arrays.toString(group.members()))
                .toList();
    }

    private static boolean isEdge(long[] values, int a, int b, LinkCheck check) {
        return Long.bitCount(values[a] ^ values[b]) <= DISTANCE
                && check.mayLink(a, b)
                && (check.isNeeded() == false || check.similarity(Math.min(a, b), Math.max(a, b)) >= 0);
    }

    private static List<String> byHand(long[] values, int maxGroupSize, LinkCheck check, AtomicInteger split) {
        List<String> groups = new ArrayList<>();
        boolean[] taken = new boolean[values.length];
        boolean[] leftOver = new boolean[values.length];
        for (int i = 0; i < values.length; i++) {
            List<Integer> members = new ArrayList<>();
            boolean tooMany = false;
            for (int j = i + 1; j < values.length && taken[i] == false; j++) {
                if (taken[j] == false && isEdge(values, i, j, check)) {
                    int one = i;
                    long value = values[j];
                    boolean hasRoom = members.size() < maxGroupSize - 1;
                    boolean isEqual = IntStream.concat(
                                    IntStream.of(one), members.stream().mapToInt(member -> member))
                            .anyMatch(member -> values[member] == value);
                    if (hasRoom || isEqual) {
                        members.add(j);
                    } else {
                        tooMany = true;
                        leftOver[j] = true;
                    }
                }
            }
            split.addAndGet(tooMany && leftOver[i] == false ? 1 : 0);
            members.forEach(member -> taken[member] = true);
            if (members.isEmpty() == false) {
                groups.add(i + " " + members);
            }
        }
        return groups;
    }

    private static List<String> chainsByHand(long[] values, int maxGroupSize, LinkCheck check) {
        int[] component = new int[values.length];
        Arrays.setAll(component, i -> i);
        for (boolean changed = true; changed; ) {
            changed = false;
            for (int i = 0; i < values.length; i++) {
                for (int j = i + 1; j < values.length; j++) {
                    if (component[i] != component[j] && isEdge(values, i, j, check)) {
                        int lower = Math.min(component[i], component[j]);
                        component[i] = lower;
                        component[j] = lower;
                        changed = true;
                    }
                }
            }
        }
        TreeMap<Integer, List<Integer>> members = new TreeMap<>();
        for (int i = 0; i < values.length; i++) {
            members.computeIfAbsent(component[i], root -> new ArrayList<>()).add(i);
        }
        TreeMap<Integer, String> groups = new TreeMap<>();
        for (List<Integer> all : members.values()) {
            while (all.isEmpty() == false) {
                List<Integer> part = new ArrayList<>();
                while (all.isEmpty() == false && part.size() < maxGroupSize) {
                    // Equal documents come together.
                    long value = values[all.getFirst()];
                    all.stream().filter(member -> values[member] == value).forEach(part::add);
                    all.removeIf(member -> values[member] == value);
                }
                part.sort(null);
                if (part.size() > 1) {
                    groups.put(part.getFirst(), part.getFirst() + " " + part.subList(1, part.size()));
                }
            }
        }
        return List.copyOf(groups.values());
    }

    private static LinkCheck watched(LinkCheck check) {
        return check.isNeeded() ? new Watched(check) : check;
    }

    /** Two of three pairs are similar, whatever their fingerprints. */
    private static class EveryThird implements LinkCheck {

        @Override
        public int expect(int[] documents) {
            return documents.length;
        }

        @Override
        public double similarity(int a, int b) {
            return (a * 31 + b) % 3 == 0 ? -1 : 0.9;
        }
    }

    /** Only those of different sources are linked. A few are of none, and linked with all. */
    private static final class OfSeveralSources extends EveryThird {

        @Override
        public boolean mayLink(int a, int b) {
            return apartKey(a) == 0 || apartKey(a) != apartKey(b);
        }

        @Override
        public long apartKey(int document) {
            return document % 10 < 8 ? 1 : document % 3;
        }
    }

    /** Documents of a range are of another source than the others. Texts are not compared. */
    private static final class OfTwoSources extends EveryThird {

        private final int from;
        private final int end;
        private long tried;

        OfTwoSources(int from, int end) {
            this.from = from;
            this.end = end;
        }

        @Override
        public boolean mayLink(int a, int b) {
            tried++;
            return apartKey(a) != apartKey(b);
        }

        @Override
        public long apartKey(int document) {
            return document >= from && document < end ? 2 : 1;
        }

        @Override
        public double similarity(int a, int b) {
            return Double.NaN;
        }
    }

    /** All texts are equal but one. */
    private record EqualBut(int other) implements LinkCheck {

        @Override
        public int expect(int[] documents) {
            return documents.length;
        }

        @Override
        public double similarity(int a, int b) {
            return a == other || b == other ? -1 : 1;
        }
    }

    /** Only documents from a number on are similar. */
    private static final class Impatient implements LinkCheck {

        static final int PATIENCE = 50;

        private final int from;
        private int gaveUp;

        Impatient(int from) {
            this.from = from;
        }

        @Override
        public int expect(int[] documents) {
            return documents.length;
        }

        @Override
        public int patience() {
            return PATIENCE;
        }

        @Override
        public void gaveUp() {
            gaveUp++;
        }

        @Override
        public double similarity(int a, int b) {
            return a >= from && b >= from ? 1 : -1;
        }
    }

    /** Long texts, of which few fit, and many without a word: it turns out which when they are read. */
    private static final class LongOrBlank implements LinkCheck {

        private final Set<Integer> blank = new HashSet<>();
        private final LinkCheck check;
        private final int room;

        LongOrBlank(LinkCheck check, int room) {
            this.check = check;
            this.room = room;
        }

        @Override
        public int expect(int[] documents) {
            int size = Math.min(documents.length, room);
            Arrays.stream(documents, 0, size).filter(LongOrBlank::isBlank).forEach(blank::add);
            return size;
        }

        private static boolean isBlank(int document) {
            return document % 4 > 0;
        }

        @Override
        public boolean isComparable(int document) {
            return blank.contains(document) == false;
        }

        @Override
        public double similarity(int a, int b) {
            // Those that are compared by hand are not expected.
            return isBlank(a) || isBlank(b) ? -1 : check.similarity(a, b);
        }
    }

    /** Only what is expected is compared, and there is never too much of it. */
    private static final class Watched implements LinkCheck {

        private final LinkCheck check;
        private Set<Integer> expected = Set.of();
        private long read;
        private long compared;

        Watched(LinkCheck check) {
            this.check = check;
        }

        @Override
        public int expect(int[] documents) {
            assertTrue(documents.length <= TextWindow.SIZE, "at most a window of texts at a time");
            int room = Math.min(documents.length, check.expect(documents));
            expected = Arrays.stream(documents, 0, room).boxed().collect(Collectors.toSet());
            assertEquals(room, expected.size(), "each once");
            read += room;
            return room;
        }

        @Override
        public boolean mayLink(int a, int b) {
            return check.mayLink(a, b);
        }

        @Override
        public long apartKey(int document) {
            return check.apartKey(document);
        }

        @Override
        public boolean isComparable(int document) {
            return check.isComparable(document);
        }

        @Override
        public int patience() {
            return check.patience();
        }

        @Override
        public void gaveUp() {
            check.gaveUp();
        }

        @Override
        public double similarity(int a, int b) {
            assertTrue(expected.contains(a) && expected.contains(b), "not expected: " + a + " and " + b);
            compared++;
            return check.similarity(a, b);
        }
    }
}
