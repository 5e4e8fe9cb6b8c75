/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.window.ArrivalWindow.Bounds;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;

/** The window knows of sketches what a comparison with every document would know. */
public class SketchWindowTests extends WindowTestCase {

    private static final int FEATURES = 100;
    private static final BandLayout FEW_BANDS = new BandLayout(64, 8, 8);

    private static int most(Arrival arrival, double minSimilarity) {
        return arrival.print().maxDistance(Arrivals.sketchCriteria(minSimilarity));
    }

    /** Sets of which each shares features with an earlier one. */
    private static final class Texts {

        private final Random random;
        private final List<long[]> all = new ArrayList<>();

        Texts(Random random) {
            this.random = random;
        }

        long[] next() {
            long[] features = random.longs(FEATURES).toArray();
            if (all.isEmpty() == false && random.nextInt(3) > 0) {
                long[] earlier = all.get(random.nextInt(all.size()));
                System.arraycopy(earlier, 0, features, 0, random.nextInt(FEATURES + 1));
            }
            all.add(features);
            return features;
        }
    }

    /** Some too short, some of another scheme, some without bands or with few. */
    private static Arrival arrival(String id, long[] features, Random random, boolean areAllBanded) {
        BandLayout layout = random.nextInt(10) == 0 ? FEW_BANDS : BandLayout.DEFAULT;
        Sketch sketch = random.nextInt(20) == 0 ? null : Sketch.of(features, FEATURES, layout.permutations());
        boolean isBanded = areAllBanded || random.nextInt(10) > 0;
        String digest = random.nextInt(10) == 0 ? Arrivals.digest(random.nextInt(20)) : Arrivals.digest(features[0]);
        return Arrivals.sketched(id, sketch, isBanded ? layout : null, digest);
    }

    private void duel(int documents, int size, boolean areAllBanded) {
        ArrivalWindow window = window(size);
        Random random = new Random(randomLong());
        Texts texts = new Texts(random);
        List<Arrival> all = new ArrayList<>();
        Set<Arrival> dropped = new HashSet<>();
        int droppedOfHundred = random.nextInt(60);
        for (int i = 0; i < documents; i++) {
            Arrival arrival = arrival(Integer.toString(i), texts.next(), random, areAllBanded);
            all.add(admitted(window, arrival));
            if (random.nextInt(20) == 0) {
                List<Arrival> there = all.subList(Math.max(0, all.size() - size), all.size() - 1).stream()
                        .filter(other -> dropped.contains(other) == false)
                        .toList();
                assertNearest(window, arrival, there);
            }
            if (random.nextInt(100) < droppedOfHundred) {
                Windows.drop(window, arrival.number());
                dropped.add(arrival);
            }
        }
    }

    /** Where a document may have more components that differ than bands, one that shares no band may be missed. */
    private static void assertNearest(ArrivalWindow window, Arrival arrival, List<Arrival> there) {
        boolean isScanned = there.stream()
                .map(other -> (ArrivedSketch) other.print())
                .anyMatch(other -> other.sketch() != null && other.layout() == null);
        for (double minSimilarity : new double[] {1, 0.95, 0.9, 0.8, 0.6, 0.4, 0.1, 0}) {
            int most = most(arrival, minSimilarity);
            List<Arrival> near = there.stream()
                    .filter(other -> arrival.print().distance(other.print()) <= most)
                    .sorted(Comparator.comparingInt(
                                    (Arrival other) -> arrival.print().distance(other.print()))
                            .thenComparingLong(Arrival::number))
                    .toList();
            List<String> expected =
                    near.stream().map(other -> other.name().id()).toList();
            List<String> found = ids(window.nearest(arrival, most, there.size() + 1, WindowSearch.BEFORE_ALL));
            BandLayout layout = ((ArrivedSketch) arrival.print()).layout();
            if (layout == null || most < layout.bands() || isScanned) {
                assertEquals("similarity " + minSimilarity, expected, found);
            } else {
                assertEquals(
                        "in order", expected.stream().filter(found::contains).toList(), found);
                List<String> sharing = near.stream()
                        .filter(other -> shareABand(arrival, other))
                        .map(other -> other.name().id())
                        .toList();
                assertTrue(sharing + " share a band, found " + found, found.containsAll(sharing));
            }
        }
    }

    private static boolean shareABand(Arrival arrival, Arrival other) {
        ArrivedSketch a = (ArrivedSketch) arrival.print();
        ArrivedSketch b = (ArrivedSketch) other.print();
        if (a.sketch() == null || b.sketch() == null || a.layout().equals(b.layout()) == false) {
            return false;
        }
        Set<String> terms = new HashSet<>(List.of(a.layout().terms(a.sketch())));
        terms.retainAll(List.of(b.layout().terms(b.sketch())));
        return terms.isEmpty() == false;
    }

    public void testSketchesAgainstBruteForce() {
        duel(1_500, 1_500, true);
    }

    public void testAWindowThatOverflowsAgainstBruteForce() {
        duel(2_000, 200, true);
    }

    /** A document that came past the processor. */
    public void testSketchesWithoutBandsAgainstBruteForce() {
        duel(800, 800, false);
    }

    public void testADuplicateIsFoundByItsBandsWithoutAScan() {
        WindowEntries entries = entries();
        Random random = new Random(randomLong());
        long[] text = random.longs(FEATURES).toArray();
        add(entries, Arrivals.sketched("original", Sketch.of(text, FEATURES, 128), BandLayout.DEFAULT, null));
        for (int i = 0; i < 20_000; i++) {
            long[] other = random.longs(FEATURES).toArray();
            add(entries, Arrivals.sketched("" + i, Sketch.of(other, FEATURES, 128), BandLayout.DEFAULT, null));
        }
        text[0]++;
        Arrival last =
                add(entries, Arrivals.sketched("last", Sketch.of(text, FEATURES, 128), BandLayout.DEFAULT, null));
        var search = new WindowSearch(entries, last, most(last, 0.8), 8, WindowSearch.BEFORE_ALL);
        assertEquals(List.of("original"), ids(search.run()));
        assertTrue("looked at " + search.looked(), search.looked() < 2_000);
    }

    private static WindowEntries entries() {
        return new WindowEntries(0, Hashing.polymurHash2_0(1, 2, 3));
    }

    private static Arrival add(WindowEntries entries, Arrival arrival) {
        if (entries.isFull()) {
            entries.grow();
        }
        arrival.numbered(entries.next());
        entries.add(arrival, 0);
        return arrival;
    }

    private static void fill(ArrivalWindow window, int documents, boolean areSketched) {
        for (int i = 0; i < documents; i++) {
            long seed = i * 0x9E3779B97F4A7C15L;
            byte[] bytes = new byte[Integer.BYTES + 128];
            new Random(seed).nextBytes(bytes);
            Sketch sketch = new Sketch(bytes);
            admitted(
                    window,
                    areSketched
                            ? Arrivals.sketched("a name " + i, sketch, BandLayout.DEFAULT, Arrivals.digest(seed))
                            : Arrivals.of("a name " + i, seed));
        }
    }

    public void testWhatSketchesTakeIsGivenBack() {
        ArrivalWindow window = window(1_000_000);
        fill(window, 1_000, false);
        long fingerprints = memory.get();
        fill(window, 1_000, true);
        assertTrue(fingerprints + ", then " + memory.get(), memory.get() > fingerprints + 1_000 * 300);
        assertEquals(memory.get(), window.bytes());
        clock.addAndGet(2_000);
        window.expire();
        assertEquals(0, memory.get());
        fill(window, 1_000, false);
        assertEquals("nothing is left of the sketches", fingerprints, memory.get());
    }

    public void testWithoutMemoryFewerSketchesFitThanFingerprints() {
        long limit = 16L << 20;
        int[] sizes = new int[2];
        for (int i = 0; i < 2; i++) {
            AtomicLong taken = new AtomicLong();
            ArrivalWindow window = new ArrivalWindow(
                    clock::get,
                    bytes -> {
                        if (taken.addAndGet(bytes) > limit) {
                            taken.addAndGet(-bytes);
                            throw new CircuitBreakingException("full", CircuitBreaker.Durability.TRANSIENT);
                        }
                    },
                    () -> Long.MAX_VALUE,
                    new Bounds(1_000, 1_000_000));
            fill(window, 60_000, i == 1);
            assertTrue("holds " + taken.get(), taken.get() <= limit);
            sizes[i] = window.state().entries();
        }
        assertTrue(sizes[0] + " fingerprints, " + sizes[1] + " sketches", sizes[1] <= sizes[0] / 2 && sizes[1] > 5_000);
    }

    public void testAFingerprintAndASketchAreNotCompared() {
        ArrivalWindow window = window(100);
        long[] text = {1, 2, 3, 4, 5};
        Sketch sketch = Sketch.of(text, text.length, 128);
        admitted(window, Arrivals.of("fingerprint", 7));
        Arrival sketched = admitted(window, Arrivals.sketched("a", sketch, BandLayout.DEFAULT, Arrivals.digest(1)));
        assertEquals(List.of(), ids(window.nearest(sketched, 128, 8, WindowSearch.BEFORE_ALL)));
        Arrival last = admitted(window, Arrivals.of("last", 7));
        assertEquals(
                List.of(),
                ids(window.nearest(last, 64, 8, WindowSearch.BEFORE_ALL)).stream()
                        .filter("a"::equals)
                        .toList());
    }
}
