/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.core.fingerprint.LongHash;

/** The window knows of hashes of 64 and 256 bits what a comparison with every document would know. */
public class LongHashWindowTests extends WindowTestCase {

    private static LongHash random(Random random, int words) {
        return new LongHash(random.longs(words).toArray());
    }

    private static LongHash flipped(LongHash hash, int bits, Random random) {
        byte[] bytes = hash.toBytes();
        for (int i = 0; i < bits; i++) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        return LongHash.fromBytes(bytes, 0, bytes.length);
    }

    /** Near one of some centres; a part of 64 bits, and a part whose first words are all equal. */
    private void duel(int documents, int size) {
        ArrivalWindow window = window(size);
        Random random = new Random(randomLong());
        List<LongHash> centres = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            centres.add(random(random, 4));
        }
        List<Arrival> all = new ArrayList<>();
        Set<Arrival> dropped = new HashSet<>();
        for (int i = 0; i < documents; i++) {
            LongHash centre = centres.get(random.nextInt(centres.size()));
            LongHash hash = flipped(centre, random.nextInt(80), random);
            Arrival arrival = random.nextInt(8) == 0
                    ? Arrivals.of("" + i, hash.word(0))
                    : Arrivals.hashed(
                            "" + i,
                            random.nextInt(4) > 0
                                    ? hash
                                    : LongHash.fromHex(
                                            "0".repeat(24) + hash.toHex().substring(24)));
            all.add(admitted(window, arrival));
            if (random.nextInt(10) == 0) {
                List<Arrival> there = all.subList(Math.max(0, all.size() - size), all.size() - 1).stream()
                        .filter(other -> dropped.contains(other) == false)
                        .toList();
                assertNearest(window, arrival, there);
            }
            if (random.nextInt(4) == 0) {
                Windows.drop(window, arrival.number());
                dropped.add(arrival);
            }
        }
    }

    private static void assertNearest(ArrivalWindow window, Arrival arrival, List<Arrival> there) {
        for (int most : new int[] {0, 3, 7, 15, 16, 31, 40, 64}) {
            List<String> expected = there.stream()
                    .filter(other -> arrival.print().distance(other.print()) <= most)
                    .sorted(Comparator.comparingInt(
                                    (Arrival other) -> arrival.print().distance(other.print()))
                            .thenComparingLong(Arrival::number))
                    .map(other -> other.name().id())
                    .toList();
            assertEquals(
                    "distance " + most,
                    expected,
                    ids(window.nearest(arrival, most, there.size() + 1, WindowSearch.BEFORE_ALL)));
        }
    }

    public void testHashesAgainstBruteForce() {
        duel(3_000, 3_000);
    }

    public void testAWindowThatOverflowsAgainstBruteForce() {
        duel(2_000, 200);
    }

    /** Too many for a scan; the keys of a window of this size are fewer than the values of a segment. */
    public void testHashesAreFoundBySegmentsWithoutAScan() {
        Random random = new Random(randomLong());
        for (int words : new int[] {4}) {
            WindowEntries entries = new WindowEntries(0, Hashing.polymurHash2_0(1, 2, 3));
            int most = 31 * words / 4;
            List<LongHash> near = new ArrayList<>();
            LongHash hash = random(random, words);
            for (int i = 0; i < 50_000; i++) {
                boolean isNear = i % 5_000 == 7;
                LongHash of = isNear ? flipped(hash, random.nextInt(most + 1), random) : random(random, words);
                add(entries, Arrivals.hashed("" + i, of));
                if (hash.distance(of) <= most) {
                    near.add(of);
                }
            }
            Arrival last = add(entries, Arrivals.hashed("last", hash));
            var search = new WindowSearch(entries, last, most, 100, WindowSearch.BEFORE_ALL);
            assertEquals(near.size(), search.run().size());
            assertTrue("looked at " + search.looked(), search.looked() < 10_000);
        }
    }

    private static Arrival add(WindowEntries entries, Arrival arrival) {
        if (entries.isFull()) {
            entries.grow();
        }
        arrival.numbered(entries.next());
        entries.add(arrival, 0);
        return arrival;
    }

    public void testWhatHashesTakeIsGivenBack() {
        ArrivalWindow window = window(1_000_000);
        Random random = new Random(randomLong());
        for (int i = 0; i < 1_000; i++) {
            admitted(window, Arrivals.of("a name " + i, i));
        }
        long fingerprints = memory.get();
        for (int i = 0; i < 1_000; i++) {
            admitted(window, Arrivals.hashed("a name " + i, random(random, 4)));
        }
        assertTrue(fingerprints + ", then " + memory.get(), memory.get() > fingerprints + 1_000 * 200);
        assertEquals(memory.get(), window.bytes());
        clock.addAndGet(2_000);
        window.expire();
        assertEquals(0, memory.get());
        for (int i = 0; i < 1_000; i++) {
            admitted(window, Arrivals.of("a name " + i, i));
        }
        assertEquals("nothing is left of the hashes", fingerprints, memory.get());
    }
}
