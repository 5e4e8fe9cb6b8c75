/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dynatrace.hash4j.hashing.Hashing;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.arrival.Original;

/** A flood of equal documents costs little for each: all arrivals wait for a search. */
class WindowSearchTests {

    private static final int FLOOD = 50_000;
    private static final int MOST = 8;

    private final WindowEntries entries = new WindowEntries(0, Hashing.polymurHash2_0(1, 2, 3));
    private long looked;

    private Arrival add(Arrival arrival) {
        if (entries.isFull()) {
            entries.grow();
        }
        arrival.numbered(entries.next());
        entries.add(arrival, 0);
        return arrival;
    }

    private void flood(IntFunction<Arrival> documents) {
        for (int i = 0; i < FLOOD; i++) {
            add(documents.apply(i));
        }
    }

    private long[] nearest(Arrival last) {
        var search = new WindowSearch(entries, last, 3, MOST, WindowSearch.BEFORE_ALL);
        List<Original> matches = search.run();
        looked = search.looked();
        return matches.stream().mapToLong(Original::number).toArray();
    }

    private void assertOldestAtOnce(Arrival last) {
        assertEquals(
                LongStream.range(0, MOST).boxed().toList(),
                LongStream.of(nearest(last)).boxed().toList());
        assertTrue(looked <= 2 * MOST, () -> "looked at " + looked);
    }

    @Test
    void testOfEqualTextsTheOldestAreFoundAtOnce() {
        flood(i -> Arrivals.of("" + i, 7));
        assertOldestAtOnce(add(Arrivals.of("last", 7)));
    }

    @Test
    void testOfEqualFingerprintsTheOldestAreFoundAtOnce() {
        flood(i -> of("" + i, 7, i));
        assertOldestAtOnce(add(of("last", 7, FLOOD)));
    }

    /** Each candidate is held while its round is decided. */
    @Test
    void testOfUnknownTextsFewBecomeCandidates() {
        ArrivalWindow window =
                new ArrivalWindow(() -> 0, bytes -> {}, () -> 1 << 30, new ArrivalWindow.Bounds(1_000, FLOOD));
        List<Arrival> flood =
                IntStream.range(0, 5_000).mapToObj(i -> Arrivals.of("" + i, 7)).toList();
        window.admit(flood);
        Arrival last = Arrivals.of("last", 7);
        last.numbered(window.admit(List.of(last)));
        for (double similarity : new double[] {Double.NaN, -1, 1}) {
            WindowCandidates candidates = new WindowCandidates();
            for (int looks = 0; looks < 10 && candidates.hasMore(); looks++) {
                candidates.look(window, last, 3, any -> similarity);
            }
            int found = candidates.found().size();
            boolean isAsExpected =
                    similarity > 0 ? found > 2_000 : similarity < 0 ? found == 0 : found > 0 && found < 512;
            assertTrue(isAsExpected, () -> found + " with similarity " + similarity);
        }
    }

    @Test
    void testWhatWasDroppedIsPassedOnce() {
        flood(i -> Arrivals.of("" + i, 7));
        for (int i = 1; i < FLOOD; i++) {
            entries.drop(entries.get(i));
        }
        for (int i = 0; i < 3; i++) {
            Arrival last = add(Arrivals.of("last" + i, 7));
            assertEquals(List.of(0L), LongStream.of(nearest(last)).boxed().toList());
            assertTrue(looked <= 10 * MOST, () -> "looked at " + looked);
            entries.drop(entries.get(last.number()));
        }
    }

    /** Two recipes make different fingerprints of a text. */
    @Test
    void testAnEqualTextIsFoundThoughItsFingerprintIsFar() {
        flood(i -> of("" + i, i * 0x9E37_79B9_7F4A_7C15L, i));
        int wanted = FLOOD / 2;
        Arrival last = add(of("last", ~(wanted * 0x9E37_79B9_7F4A_7C15L), wanted));
        assertTrue(LongStream.of(nearest(last)).anyMatch(number -> number == wanted));
    }

    private static Arrival of(String id, long bits, long text) {
        return Arrivals.of(Arrivals.INDEX, id, OptionalLong.of(bits), Arrivals.digest(text), Arrivals.SCHEME);
    }

    /** All these ids have one Java hash code. */
    @Test
    void testIdsThatAreMadeToCollideHaveShortChains() {
        long colliding = chained(i -> ofBlocks(i, 17));
        long good = chained(i -> "id-" + i);
        assertTrue(colliding < 2 * good, () -> colliding + " steps, with good ids " + good);
    }

    private static String ofBlocks(int number, int count) {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < count; i++) {
            id.append((number >>> i & 1) == 0 ? "Aa" : "BB");
        }
        return id.toString();
    }

    /** Entries looked at for the versions of each of 40,000 documents. */
    private static long chained(IntFunction<String> ids) {
        SecureRandom secret = new SecureRandom();
        WindowEntries window =
                new WindowEntries(0, Hashing.polymurHash2_0(secret.nextLong(), secret.nextLong(), secret.nextLong()));
        long steps = 0;
        for (int i = 0; i < 40_000; i++) {
            while (window.isFull()) {
                window.grow();
            }
            window.add(Arrivals.of(ids.apply(i), i), 0);
            for (WindowEntry entry = window.newest(ids.apply(i)); entry != null; entry = window.older(entry)) {
                steps++;
            }
        }
        return steps;
    }
}
