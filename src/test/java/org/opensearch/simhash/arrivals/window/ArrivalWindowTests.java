/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import static org.opensearch.simhash.arrivals.window.Windows.drop;
import static org.opensearch.simhash.arrivals.window.Windows.end;
import static org.opensearch.simhash.arrivals.window.Windows.keep;
import static org.opensearch.simhash.arrivals.window.Windows.keepBeside;
import static org.opensearch.simhash.arrivals.window.Windows.name;
import static org.opensearch.simhash.arrivals.window.Windows.originals;
import static org.opensearch.simhash.arrivals.window.Windows.refuse;
import static org.opensearch.simhash.arrivals.window.Windows.refused;
import static org.opensearch.simhash.arrivals.window.Windows.state;
import static org.opensearch.simhash.arrivals.window.Windows.stored;
import static org.opensearch.simhash.arrivals.window.Windows.versions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.ArrivalWindow.Bounds;
import org.opensearch.simhash.arrivals.window.ArrivalWindow.WindowState;

/** The window agrees with a comparison of all documents. */
public class ArrivalWindowTests extends WindowTestCase {

    private final AtomicLong share = new AtomicLong(Long.MAX_VALUE);

    private ArrivalWindow window(long millis, int size) {
        return window(memory::addAndGet, new Bounds(millis, size));
    }

    private ArrivalWindow window(LongConsumer breaker, Bounds bounds) {
        return new ArrivalWindow(clock::get, breaker, share::get, bounds);
    }

    /** Refuses bytes beyond a limit. */
    private LongConsumer breaker(long limit) {
        return bytes -> {
            if (memory.get() + bytes > limit) {
                throw new CircuitBreakingException("full", CircuitBreaker.Durability.TRANSIENT);
            }
            memory.addAndGet(bytes);
        };
    }

    private static List<Original> nearest(ArrivalWindow window, Arrival arrival, int maxDistance) {
        return window.nearest(arrival, maxDistance, 8, WindowSearch.BEFORE_ALL);
    }

    public void testWhatLeavesBeforeItsTimeIsCounted() {
        ArrivalWindow window = window(1_000, 3);
        for (int i = 0; i < 5; i++) {
            admitted(window, arrival(Integer.toString(i), i, random()));
            clock.addAndGet(100);
        }
        assertEquals("two had to make room", new WindowState(3, 300, 2), window.state());
        window.limit(new Bounds(1_000, 2));
        assertEquals(new WindowState(2, 200, 3), window.state());
        clock.addAndGet(5_000);
        assertEquals("old ones leave in time", new WindowState(0, 0, 3), window.state());
        share.set(0);
        admitted(window, arrival("no room", 1, random()));
        assertEquals("never got in", new WindowState(0, 0, 4), window.state());
        window.limit(new Bounds(1_000, 0));
        admitted(window, arrival("not wanted", 1, random()));
        assertEquals("nobody wants a window", new WindowState(0, 0, 4), window.state());
    }

    public void testUniformFingerprintsAgainstBruteForce() {
        duel(new Random(randomLong())::nextLong, 10_000, 10_000);
    }

    public void testCrowdedFingerprintsAgainstBruteForce() {
        Random random = new Random(randomLong());
        long common = random.nextLong();
        duel(() -> Arrivals.flipped(common, random.nextInt(12), random), 3_000, 3_000);
    }

    public void testAWindowThatOverflowsAgainstBruteForce() {
        Random random = new Random(randomLong());
        long[] centres = random.longs(50).toArray();
        duel(() -> Arrivals.flipped(centres[random.nextInt(50)], random.nextInt(6), random), 5_000, 700);
    }

    public void testEqualTextsAgainstBruteForce() {
        Random random = new Random(randomLong());
        long[] texts = random.longs(3).toArray();
        duel(() -> texts[random.nextInt(3)], 3_000, 2_000);
        duel(() -> random.nextInt(30) == 0 ? texts[0] : random.nextLong(), 3_000, 2_000);
    }

    private void duel(java.util.function.LongSupplier fingerprints, int documents, int size) {
        ArrivalWindow window = window(1_000, size);
        List<Arrival> all = new ArrayList<>();
        Set<Arrival> dropped = new HashSet<>();
        Random random = new Random(randomLong());
        int droppedOfHundred = random.nextInt(100);
        for (int i = 0; i < documents; i++) {
            Arrival arrival = admitted(window, arrival(Integer.toString(i), fingerprints.getAsLong(), random));
            all.add(arrival);
            if (random.nextInt(documents / 100) == 0) {
                assertNearest(window, all, dropped, size, random);
            }
            if (random.nextInt(100) < droppedOfHundred) {
                drop(window, arrival.number());
                dropped.add(arrival);
            }
        }
    }

    /** For the last document, among the last {@code size} documents without dropped ones. */
    private static void assertNearest(
            ArrivalWindow window, List<Arrival> all, Set<Arrival> dropped, int size, Random random) {
        Arrival arrival = all.getLast();
        List<Arrival> there = all.subList(Math.max(0, all.size() - size), all.size() - 1).stream()
                .filter(other -> dropped.contains(other) == false)
                .toList();
        for (int distance : new int[] {0, 1, 3, 4, 7, 10, 16, random.nextInt(65), 64}) {
            List<String> expected = there.stream()
                    .filter(other -> arrival.print().distance(other.print()) <= distance)
                    .sorted(Comparator.comparingInt(
                                    (Arrival other) -> arrival.print().distance(other.print()))
                            .thenComparingLong(Arrival::number))
                    .limit(8)
                    .map(other -> other.name().id())
                    .toList();
            assertEquals("distance " + distance, expected, ids(nearest(window, arrival, distance)));
        }
    }

    /** Some without bits, some of another scheme, some with an equal digest. */
    private static Arrival arrival(String id, long bits, Random random) {
        return Arrivals.of(
                Arrivals.INDEX,
                id,
                random.nextInt(10) == 0 ? OptionalLong.empty() : OptionalLong.of(bits),
                random.nextInt(10) == 0 ? Arrivals.digest(random.nextInt(20)) : Arrivals.digest(bits),
                random.nextInt(10) == 0 ? "v1-ffffffff" : Arrivals.SCHEME);
    }

    public void testOfTwoNearDuplicatesOnlyTheLaterKnows() {
        ArrivalWindow window = window(1_000, 100);
        Arrival first = Arrivals.of("1", 0b111);
        Arrival second = Arrivals.of("2", 0b110);
        long number = window.admit(List.of(first, second));
        first.numbered(number);
        second.numbered(number + 1);
        assertEquals(List.of(), ids(nearest(window, first, 3)));
        assertEquals(List.of("1"), ids(nearest(window, second, 3)));
    }

    public void testManyThreadsNeverBothWays() throws InterruptedException {
        int threads = 4;
        int rounds = 200;
        ArrivalWindow window = window(60_000, 100_000);
        CyclicBarrier together = new CyclicBarrier(threads);
        Set<List<String>> pairs = java.util.Collections.synchronizedSet(new HashSet<>());
        Random random = new Random(randomLong());
        long[] texts = random.longs(rounds).toArray();
        CountDownLatch done = new CountDownLatch(threads);
        List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int thread = 0; thread < threads; thread++) {
            int own = thread;
            new Thread(
                            () -> {
                                try {
                                    for (int round = 0; round < rounds; round++) {
                                        together.await(60, TimeUnit.SECONDS);
                                        Arrival arrival =
                                                admitted(window, Arrivals.of(own + "-" + round, texts[round]));
                                        for (String other : ids(nearest(window, arrival, 3))) {
                                            pairs.add(List.of(arrival.name().id(), other));
                                        }
                                    }
                                } catch (Exception e) {
                                    failures.add(e);
                                } finally {
                                    done.countDown();
                                }
                            },
                            "arrivals-" + thread)
                    .start();
        }
        assertTrue("all threads end: " + failures, done.await(60, TimeUnit.SECONDS));
        assertEquals(List.of(), failures);
        assertEquals("each pair once", rounds * threads * (threads - 1) / 2, pairs.size());
        for (List<String> pair : pairs) {
            assertFalse(pair + " both ways", pairs.contains(List.of(pair.get(1), pair.get(0))));
        }
    }

    public void testEntriesLeaveWithTime() {
        ArrivalWindow window = window(1_000, 100);
        admitted(window, Arrivals.of("1", 0));
        clock.addAndGet(999);
        Arrival soon = admitted(window, Arrivals.of("2", 0));
        assertEquals(List.of("1"), ids(nearest(window, soon, 3)));
        clock.addAndGet(1);
        assertEquals(List.of(), ids(nearest(window, soon, 3)));
        clock.addAndGet(1_000);
        assertEquals(0, window.state().entries());
        assertEquals("an empty window holds nothing", 0, memory.get());
    }

    public void testNewBoundsCountForWhatIsThere() {
        ArrivalWindow window = window(1_000, 100);
        for (int i = 0; i < 50; i++) {
            admitted(window, Arrivals.of(Integer.toString(i), 0));
        }
        window.limit(new Bounds(1_000, 10));
        assertEquals(10, window.state().entries());
        window.limit(new Bounds(0, 10));
        assertEquals(0, window.state().entries());
        Arrival arrival = admitted(window, Arrivals.of("x", 0));
        assertEquals(List.of(), ids(nearest(window, arrival, 64)));
    }

    public void testADroppedDocumentIsNoOriginal() {
        ArrivalWindow window = window(1_000, 100);
        Arrival dropped = admitted(window, Arrivals.of("1", 0));
        drop(window, dropped.number());
        assertEquals(EntryState.GONE, state(window, dropped.number()));
        assertEquals(List.of(), ids(nearest(window, admitted(window, Arrivals.of("2", 0)), 3)));
    }

    public void testAKeptVersionTakesThePlaceOfEarlierOnes() {
        ArrivalWindow window = window(1_000, 100);
        Arrival old = admitted(window, Arrivals.of("1", 0));
        keep(window, old.number(), old.name());
        Arrival version = admitted(window, Arrivals.of("1", -1));
        assertEquals("not of itself", List.of(), ids(nearest(window, version, 64)));
        Arrival other = admitted(window, Arrivals.of("2", 0));
        assertEquals("until it is decided", List.of("1"), ids(nearest(window, other, 3)));
        assertFalse(isFar(window, old.name(), other));
        keep(window, version.number(), version.name());
        assertEquals(List.of(), ids(nearest(window, other, 3)));
        assertTrue(isFar(window, old.name(), other));
    }

    /** Whether a document's newest version before another document is far from that one. */
    private static boolean isFar(ArrivalWindow window, DocumentName name, Arrival other) {
        return versions(window, name).stream()
                .filter(version -> version.number() < other.number() && version.isCertain())
                .findFirst()
                .filter(version -> version.distance(other) > 3)
                .isPresent();
    }

    private static Arrival byTitle(String id, long bits, BulkAnswer answer) {
        return Arrivals.by("title", id, bits, answer);
    }

    public void testWhatIsEndedByOneFieldIsEndedByAllAndGivesBackItsPlace() {
        ArrivalWindow window = window(1_000, 100);
        Arrival stored = admitted(window, byTitle("1", 0, new BulkAnswer()));
        keep(window, stored.number(), stored.name());
        Arrival title = admitted(window, byTitle("1", -1, new BulkAnswer()));
        keep(window, title.number(), title.name());
        Arrival other = admitted(window, byTitle("2", -1, title.answer()));
        keep(window, other.number(), other.name());
        assertEquals(EntryState.REPLACED, state(window, stored.number()));
        Arrival text = admitted(window, Arrivals.by(Arrivals.FIELD, "1", 0, title.answer()));
        end(window, text.number());
        assertEquals(EntryState.GONE, state(window, text.number()));
        assertEquals(EntryState.GONE, state(window, title.number()));
        assertEquals(EntryState.KEPT, state(window, stored.number()));
        assertEquals(EntryState.KEPT, state(window, other.number()));
    }

    /** The stored version had replaced an earlier one, which then counted again. */
    public void testWhatIsEndedGivesBackNoPlaceThatItDidNotTake() {
        ArrivalWindow window = window(1_000, 100);
        Arrival first = admitted(window, byTitle("1", 0, new BulkAnswer()));
        keep(window, first.number(), first.name());
        Arrival second = admitted(window, byTitle("1", -1, new BulkAnswer()));
        keep(window, second.number(), second.name());
        Arrival ended = admitted(window, byTitle("1", 7, new BulkAnswer()));
        end(window, ended.number());
        assertEquals(EntryState.REPLACED, state(window, first.number()));
        assertEquals(EntryState.KEPT, state(window, second.number()));
        assertEquals(EntryState.GONE, state(window, ended.number()));
    }

    /** Two processors of one field, with distances of their own. */
    public void testWhatIsEndedIsEndedForAllProcessorsOfItsField() {
        ArrivalWindow window = window(1_000, 100);
        Arrival stored = admitted(window, byTitle("1", 0, new BulkAnswer()));
        keep(window, stored.number(), stored.name());
        BulkAnswer answer = new BulkAnswer();
        Arrival kept = admitted(window, byTitle("1", -1, answer));
        keep(window, kept.number(), kept.name());
        Arrival ended = admitted(window, byTitle("1", -1, answer));
        end(window, ended.number());
        assertEquals(EntryState.GONE, state(window, kept.number()));
        assertEquals(EntryState.KEPT, state(window, stored.number()));
    }

    /** One of them may be stored. */
    public void testOfTwoDocumentsOfOneNameNobodyKnowsWhichIsEnded() {
        ArrivalWindow window = window(1_000, 100);
        BulkAnswer answer = new BulkAnswer();
        Arrival first = admitted(window, byTitle("1", 0, answer));
        keep(window, first.number(), first.name());
        Arrival second = admitted(window, byTitle("1", -1, answer));
        keep(window, second.number(), second.name());
        Arrival text = admitted(window, Arrivals.by(Arrivals.FIELD, "1", 0, answer));
        end(window, text.number());
        assertEquals(EntryState.GONE, state(window, text.number()));
        assertEquals(EntryState.REPLACED, state(window, first.number()));
        assertEquals(EntryState.KEPT, state(window, second.number()));
    }

    public void testPagesGoOnWhereTheLastOneEnded() {
        ArrivalWindow window = window(1_000, 2_000);
        Random random = new Random(randomLong());
        long common = random.nextLong();
        for (int i = 0; i < 1_000; i++) {
            admitted(window, Arrivals.of("" + i, Arrivals.flipped(common, random.nextInt(12), random)));
        }
        Arrival arrival = admitted(window, Arrivals.of("last", common));
        List<Original> all = window.nearest(arrival, 8, 1_000, WindowSearch.BEFORE_ALL);
        List<Original> paged = new ArrayList<>();
        List<Original> page = window.nearest(arrival, 8, 1 + random.nextInt(50), WindowSearch.BEFORE_ALL);
        while (page.isEmpty() == false) {
            paged.addAll(page);
            page = window.nearest(arrival, 8, 1 + random.nextInt(50), WindowSearch.rank(page.getLast()));
        }
        assertEquals(all, paged);
    }

    public void testRemembersWhatADocumentIsADuplicateOf() {
        ArrivalWindow window = window(1_000, 2_000);
        DocumentName original = new DocumentName("docs", "original", null);
        for (int i = 0; i < 5_000; i++) {
            Arrival arrival = admitted(window, Arrivals.of("" + i, i));
            keep(window, arrival.number(), arrival.name(), i % 3 == 0 ? original : null);
            for (int back : new int[] {0, 1, 2, 1_500}) {
                boolean follows = i >= back && (i - back) % 3 == 0;
                assertEquals(follows ? List.of(original) : List.of(), originals(window, arrival.number() - back));
            }
        }
        clock.addAndGet(2_000);
        assertEquals(0, window.state().entries());
        assertEquals(0, memory.get());
    }

    public void testWhatMayNotBeStoredLeavesEarlierVersionsInTheirPlace() {
        ArrivalWindow window = window(1_000, 100);
        Arrival old = admitted(window, Arrivals.of("1", 0));
        keep(window, old.number(), old.name());
        Arrival upsert = admitted(window, Arrivals.of("1", -1));
        keepBeside(window, upsert.number());
        Arrival nearOld = admitted(window, Arrivals.of("2", 1));
        Arrival nearUpsert = admitted(window, Arrivals.of("3", ~1));
        assertEquals(List.of("1"), ids(nearest(window, nearOld, 3)));
        assertEquals(List.of("1"), ids(window.nearest(nearUpsert, 3, 1, WindowSearch.BEFORE_ALL)));
        assertFalse(isFar(window, old.name(), nearOld));
        Arrival version = admitted(window, Arrivals.of("1", 0xff00ff00ff00L));
        keep(window, version.number(), version.name());
        assertEquals(EntryState.REPLACED, state(window, old.number()));
        assertEquals(EntryState.ASIDE, state(window, upsert.number()));
        assertEquals(List.of(), ids(nearest(window, nearOld, 3)));
        refused(window, old.name().index(), "1", version.answer());
        assertEquals(EntryState.KEPT, state(window, old.number()));
        assertEquals(EntryState.BESIDE, state(window, upsert.number()));
    }

    /** Otherwise a thousand upserts of one document would be a thousand entries to walk through. */
    public void testUpsertsOfOneDocumentAreFewEntries() {
        ArrivalWindow window = window(1_000, 10_000);
        for (int i = 0; i < 1_000; i++) {
            keepBeside(window, admitted(window, Arrivals.of("1", 7)).number());
        }
        assertEquals(1, window.names().size());
        for (int i = 0; i < 1_000; i++) {
            Arrival answered = admitted(window, Arrivals.of("1", i));
            answered.answer().give();
            keepBeside(window, answered.number());
        }
        assertTrue("" + window.names().size(), window.names().size() < 20);
        assertEquals(0, versions(window, Arrivals.of("1", 0).name()).getFirst().distance(Arrivals.of("2", 999)));
        for (int i = 0; i < 100; i++) {
            keepBeside(window, admitted(window, Arrivals.of("open", mix(i))).number());
        }
        long open =
                window.names().stream().filter(name -> name.id().equals("open")).count();
        assertEquals("any of them may be stored", 100, open);
    }

    public void testWhatIsRefusedGivesBackThePlaceThatItTook() {
        ArrivalWindow window = window(1_000, 100);
        Arrival old = admitted(window, Arrivals.of("1", 0));
        keep(window, old.number(), old.name());
        old.answer().give();
        Arrival near = admitted(window, Arrivals.of("2", 1));
        for (int i = 0; i < 3; i++) {
            Arrival first = admitted(window, Arrivals.of("1", 0xff00ff00L + i));
            keep(window, first.number(), first.name());
            Arrival second = admitted(window, Arrivals.of("1", 0xff00ff00ff00L + i));
            keep(window, second.number(), second.name());
            assertEquals(EntryState.REPLACED, state(window, old.number()));
            assertEquals("may be stored yet", EntryState.REPLACED, state(window, first.number()));
            refused(window, old.name().index(), "1", first.answer());
            refused(window, old.name().index(), "2", second.answer());
            assertEquals(EntryState.REPLACED, state(window, old.number()));
            refused(window, old.name().index(), "1", second.answer());
            assertEquals(EntryState.KEPT, state(window, old.number()));
            assertEquals(EntryState.BESIDE, state(window, second.number()));
        }
        assertEquals(List.of("1"), ids(nearest(window, near, 3)));
        Arrival newer = admitted(window, Arrivals.of("1", 0b11));
        keep(window, newer.number(), newer.name());
        newer.answer().give();
        Arrival newest = admitted(window, Arrivals.of("1", 0b111));
        keep(window, newest.number(), newest.name());
        assertEquals(EntryState.GONE, state(window, old.number()));
        assertEquals(EntryState.REPLACED, state(window, newer.number()));
    }

    public void testWhatIsStoredInAnotherIndexIsKnownThere() {
        ArrivalWindow window = window(1_000, 100);
        Arrival old = admitted(window, Arrivals.of("1", 0));
        keep(window, old.number(), old.name());
        Arrival moved = admitted(window, Arrivals.of("1", 0xff00ff00L));
        keep(window, moved.number(), moved.name());
        DocumentName there = new DocumentName("docs-2", "1", moved.name().routing());
        Arrival otherThere = admitted(window, Arrivals.of("docs-2", "1", OptionalLong.of(0xff00ff00ff00L), null, null));
        keep(window, otherThere.number(), there);
        assertEquals(EntryState.REPLACED, state(window, old.number()));
        stored(window, old.name().index(), "1", moved.answer());
        stored(window, "docs-2", "1", new BulkAnswer());
        stored(window, "docs-2", "2", moved.answer());
        assertEquals("stays where it is", old.name(), name(window, moved.number()));
        stored(window, "docs-2", "1", moved.answer());
        assertEquals(there, name(window, moved.number()));
        assertEquals("came later", EntryState.KEPT, state(window, otherThere.number()));
        assertEquals(EntryState.REPLACED, state(window, moved.number()));
        assertEquals("still stored", EntryState.KEPT, state(window, old.number()));
        assertEquals(old.name(), name(window, old.number()));
        refused(window, "docs-2", "1", otherThere.answer());
        assertEquals(EntryState.KEPT, state(window, moved.number()));
        clock.addAndGet(2_000);
        assertEquals(0, window.state().entries());
        assertEquals(0, memory.get());
    }

    public void testWhatIsStoredInAnotherIndexTakesThePlaceOfItsLikeThere() {
        ArrivalWindow window = window(1_000, 100);
        DocumentName there = new DocumentName("docs-2", "1", null);
        Arrival earlier = admitted(window, Arrivals.of("docs-2", "1", OptionalLong.of(0), null, null));
        keep(window, earlier.number(), there);
        BulkAnswer answer = new BulkAnswer();
        Arrival first = admitted(window, byTitle("1", 7, answer));
        keep(window, first.number(), first.name());
        Arrival second = admitted(window, Arrivals.by("simhash", "1", -1, answer));
        keep(window, second.number(), second.name());
        stored(window, "docs-2", "1", answer);
        assertEquals(EntryState.REPLACED, state(window, earlier.number()));
        assertEquals(EntryState.KEPT, state(window, first.number()));
        assertEquals(EntryState.KEPT, state(window, second.number()));
        assertEquals(there, name(window, first.number()));
        assertEquals(there, name(window, second.number()));
    }

    /** The open version may be stored last. A document near the version before it must not be dropped. */
    public void testWhatMayYetBeStoredStaysKnown() {
        ArrivalWindow window = window(1_000, 100);
        Arrival stored = admitted(window, Arrivals.of("1", 0));
        keep(window, stored.number(), stored.name());
        stored.answer().give();
        Arrival underWay = admitted(window, Arrivals.of("1", -1));
        keep(window, underWay.number(), underWay.name());
        Arrival again = admitted(window, Arrivals.of("1", 0));
        keep(window, again.number(), again.name());
        Arrival near = admitted(window, Arrivals.of("2", 1));
        assertEquals(
                Set.of(stored.number(), underWay.number(), again.number()),
                versions(window, stored.name()).stream()
                        .map(WindowVersion::number)
                        .filter(number -> number < near.number())
                        .collect(Collectors.toSet()));
    }

    public void testWhatCameBesideComesBackWhenNothingElseIsThere() {
        ArrivalWindow window = window(1_000, 100);
        Arrival upsert = admitted(window, Arrivals.of("1", 0));
        keepBeside(window, upsert.number());
        upsert.answer().give();
        Arrival created = admitted(window, Arrivals.of("1", -1));
        keep(window, created.number(), created.name());
        Arrival near = admitted(window, Arrivals.of("2", 1));
        assertEquals(List.of(), ids(nearest(window, near, 3)));
        refused(window, created.name().index(), "1", created.answer());
        assertEquals(List.of("1"), ids(nearest(window, near, 3)));
    }

    public void testADocumentThatTwoProcessorsSeeIsOneOriginalWithAllThatItFollows() {
        ArrivalWindow window = window(1_000, 100);
        BulkAnswer answer = new BulkAnswer();
        DocumentName original = new DocumentName("docs", "original", null);
        Arrival first = admitted(window, byTitle("1", 0, answer));
        keep(window, first.number(), first.name(), original);
        Arrival second = admitted(window, byTitle("1", 0, answer));
        keep(window, second.number(), second.name());
        assertEquals(List.of(original), originals(window, second.number()));
        assertTrue(window.follows(first.name(), answer, original));
        Arrival changed = admitted(window, byTitle("1", -1, answer));
        keep(window, changed.number(), changed.name());
        assertEquals(List.of(), originals(window, changed.number()));
    }

    /** A later bulk's version may still be refused, or reach the other field's processor later. */
    public void testWhatADocumentFollowsIsKnownWhileAnotherVersionIsOnItsWay() {
        ArrivalWindow window = window(1_000, 100);
        BulkAnswer answer = new BulkAnswer();
        DocumentName original = new DocumentName("docs", "original", null);
        Arrival stored = admitted(window, byTitle("1", 0, answer));
        keep(window, stored.number(), stored.name(), original);
        answer.give();
        Arrival again = admitted(window, byTitle("1", 0, new BulkAnswer()));
        keep(window, again.number(), again.name());
        assertEquals(EntryState.REPLACED, state(window, stored.number()));
        assertEquals(List.of(original), originals(window, stored.number()));
    }

    /** Each version follows the originals of those before: without a check the list would double each time. */
    public void testADocumentThatComesManyTimesNamesItsOriginalOnce() {
        ArrivalWindow window = window(1_000, 1_000);
        BulkAnswer answer = new BulkAnswer();
        DocumentName original = new DocumentName("docs", "original", null);
        for (int i = 0; i < 50; i++) {
            Arrival version = admitted(window, byTitle("1", 0, answer));
            keep(window, version.number(), version.name(), original);
            assertEquals(List.of(original), originals(window, version.number()));
        }
    }

    public void testWhatIsKeptAndWhatCameBesideInOneBulkCanBothComeBack() {
        ArrivalWindow window = window(1_000, 100);
        BulkAnswer answer = new BulkAnswer();
        Arrival kept = admitted(window, byTitle("1", 0, answer));
        keep(window, kept.number(), kept.name());
        Arrival beside = admitted(window, byTitle("1", -1, answer));
        keepBeside(window, beside.number());
        Arrival next = admitted(window, byTitle("1", 7, new BulkAnswer()));
        keep(window, next.number(), next.name());
        refused(window, next.name().index(), "1", next.answer());
        assertEquals(EntryState.KEPT, state(window, kept.number()));
        assertEquals(EntryState.BESIDE, state(window, beside.number()));
    }

    public void testWhatOneFieldRefusesIsOpenByAllProcessorsOfTheField() {
        ArrivalWindow window = window(1_000, 100);
        Arrival stored = admitted(window, byTitle("1", -1, new BulkAnswer()));
        keep(window, stored.number(), stored.name());
        BulkAnswer answer = new BulkAnswer();
        Arrival kept = admitted(window, byTitle("1", 0, answer));
        keep(window, kept.number(), kept.name());
        Arrival text = admitted(window, Arrivals.by(Arrivals.FIELD, "1", 0, answer));
        keep(window, text.number(), text.name());
        Arrival refused = admitted(window, byTitle("1", 0, answer));
        refuse(window, refused.number());
        assertEquals(EntryState.GONE, state(window, refused.number()));
        assertEquals(EntryState.BESIDE, state(window, kept.number()));
        assertEquals("its place is its own again", EntryState.KEPT, state(window, stored.number()));
        assertEquals(EntryState.KEPT, state(window, text.number()));
    }

    public void testManyUpsertsOfOneBulkAndDocumentAreFewEntries() {
        ArrivalWindow window = window(1_000, 10_000);
        BulkAnswer answer = new BulkAnswer();
        List<Arrival> upserts = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            upserts.add(Arrivals.by(Arrivals.FIELD, "1", mix(i), answer));
        }
        long first = window.admit(upserts);
        for (int i = 0; i < 1_000; i++) {
            keepBeside(window, first + i);
        }
        assertTrue("" + window.names().size(), window.names().size() < 20);
        assertEquals("makes the document where there is none", EntryState.BESIDE, state(window, first));
        assertEquals("what it is in the end", EntryState.BESIDE, state(window, first + 999));
    }

    public void testOtherIndicesDoNotCount() {
        ArrivalWindow window = window(1_000, 100);
        admitted(window, Arrivals.of("other", "0", OptionalLong.of(0), null, Arrivals.SCHEME));
        Arrival arrival = admitted(window, Arrivals.of("1", 0));
        assertEquals(List.of(), ids(nearest(window, arrival, 3)));
        assertEquals(List.of("0"), ids(nearest(window, Arrivals.comparedIn(Set.of("docs", "other"), arrival), 3)));
    }

    public void testWhenMemoryIsRefusedTheOldestLeave() {
        long limit = 8 << 20;
        ArrivalWindow window = window(breaker(limit), new Bounds(1_000, 1_000_000));
        fill(window, 100_000);
        assertTrue("holds " + memory.get(), memory.get() <= limit);
        assertTrue(
                "but " + window.state().entries() + " documents", window.state().entries() > 4_000);
        assertEquals(memory.get(), window.bytes());
        Arrival last = admitted(window, Arrivals.of("last", mix(99_999)));
        assertEquals(List.of("a document with a name 99999"), ids(nearest(window, last, 0)));
    }

    private static long mix(long i) {
        return i * 0x9E3779B97F4A7C15L;
    }

    private static void fill(ArrivalWindow window, int documents) {
        for (int i = 0; i < documents; i++) {
            admitted(window, Arrivals.of("a document with a name " + i, mix(i)));
        }
    }

    public void testTheWindowTakesNoMoreThanItsShare() {
        share.set(8 << 20);
        ArrivalWindow window = window(breaker(64 << 20), new Bounds(1_000, 1_000_000));
        fill(window, 100_000);
        assertTrue("holds " + memory.get(), memory.get() <= share.get());
        assertTrue(
                "but " + window.state().entries() + " documents", window.state().entries() > 4_000);
        share.set(6 << 20);
        fill(window, 1);
        assertTrue("holds " + memory.get(), memory.get() <= 8 << 20);
        fill(window, 100);
        assertTrue("and " + memory.get(), memory.get() <= share.get());
        assertTrue(
                "but " + window.state().entries() + " documents", window.state().entries() > 1_000);
        share.set(0);
        fill(window, 1);
        assertEquals(0, window.state().entries());
        assertEquals(0, memory.get());
    }

    public void testWhatIsNotNeededIsGivenBack() {
        ArrivalWindow window = window(1_000, 1_000_000);
        fill(window, 60_000);
        long full = memory.get();
        window.limit(new Bounds(1_000, 1_000));
        assertEquals(memory.get(), window.bytes());
        assertTrue(full + " held, then " + memory.get(), memory.get() < full / 3);
        window.limit(new Bounds(1_000, 1_000_000));
        fill(window, 60_000);
        clock.addAndGet(600);
        fill(window, 300);
        clock.addAndGet(600);
        window.expire();
        assertEquals(300, window.state().entries());
        assertEquals(memoryOf(300), memory.get());
        assertEquals(memory.get(), window.bytes());
    }

    /** Of a window that never had larger arrays. */
    private static long memoryOf(int documents) {
        AtomicLong fresh = new AtomicLong();
        ArrivalWindow window =
                new ArrivalWindow(() -> 0, fresh::addAndGet, () -> Long.MAX_VALUE, new Bounds(1_000, 1_000_000));
        fill(window, documents);
        return fresh.get();
    }

    public void testAWindowThatShrinksAndGrowsAgainstBruteForce() {
        Random random = new Random(randomLong());
        ArrivalWindow window = window(1_000, 20_000);
        List<Arrival> all = new ArrayList<>();
        for (int size : new int[] {20_000, 700, 5_000, 10, 2_000}) {
            window.limit(new Bounds(1_000, size));
            for (int i = 0; i < 1.5 * size; i++) {
                long bits = random.nextInt(3) == 0 || all.isEmpty()
                        ? random.nextLong()
                        : Arrivals.flipped(
                                Arrivals.bits(all.get(random.nextInt(all.size()))), random.nextInt(6), random);
                all.add(admitted(window, arrival(Integer.toString(all.size()), bits, random)));
                if (i < 3 || random.nextInt(size / 5 + 1) == 0) {
                    assertNearest(window, all, Set.of(), Math.min(window.state().entries(), size), random);
                }
            }
        }
    }

    public void testNoMemoryAtAllIsNoFailure() {
        LongConsumer breaker = bytes -> {
            throw new CircuitBreakingException("full", CircuitBreaker.Durability.TRANSIENT);
        };
        ArrivalWindow window = window(breaker, new Bounds(1_000, 1_000));
        for (int i = 0; i < 10; i++) {
            Arrival arrival = admitted(window, Arrivals.of(Integer.toString(i), 0));
            assertEquals(List.of(), ids(nearest(window, arrival, 3)));
            keep(window, arrival.number(), arrival.name());
        }
        assertEquals(0, window.state().entries());
    }
}
