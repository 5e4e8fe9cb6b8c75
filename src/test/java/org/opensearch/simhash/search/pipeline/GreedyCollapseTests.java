/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.pair.Apart;
import org.opensearch.simhash.search.pipeline.GreedyCollapse.PairTest;
import org.opensearch.simhash.search.query.HitPrints;
import org.opensearch.simhash.search.query.Threshold;
import org.opensearch.test.OpenSearchTestCase;

/** Which hits hide which, against comparing each with each. */
public class GreedyCollapseTests extends OpenSearchTestCase {

    private static final List<List<String>> SCHEMES =
            List.of(List.of("v1-a"), List.of("v1-a"), List.of("v1-b"), List.of(), List.of("v1-a", "v1-b"));

    public void testIsWhatComparingEachWithEachGives() {
        for (int round = 0; round < 300; round++) {
            List<HitPrints> ranked = ranked(randomIntBetween(0, 120));
            int maxDistance = randomFrom(0, 3, 6, 10, 20, 64);
            boolean[][] passes = new boolean[ranked.size()][ranked.size()];
            for (boolean[] row : passes) {
                for (int i = 0; i < row.length; i++) {
                    row[i] = rarely() == false;
                }
            }
            GreedyCollapse.PairTest test = randomBoolean() ? GreedyCollapse.PairTest.ANY : (by, hit) -> passes[by][hit];
            assertArrayEquals(bruteForce(ranked, maxDistance, test), GreedyCollapse.of(ranked, maxDistance, test));
        }
    }

    /** The first word of each hash is that of 64 bits, and the others are equal. */
    public void testLongHashesAreComparedAsShortOnes() {
        for (int round = 0; round < 100; round++) {
            List<HitPrints> ranked = ranked(randomIntBetween(0, 120));
            long rest = randomLong();
            List<HitPrints> longer = ranked.stream()
                    .map(hit -> new HitPrints(
                            hit.values().stream()
                                    .map(bits -> new LongHash((Long) bits, rest, 0, -1))
                                    .toList(),
                            hit.digests(),
                            hit.schemes()))
                    .toList();
            int maxDistance = randomFrom(0, 3, 6, 10, 20);
            List<String> asked = new ArrayList<>();
            List<String> askedOfLonger = new ArrayList<>();
            PairTest test = (by, hit) -> asked.add(by + " " + hit) && (by + hit) % 7 > 0;
            PairTest same = (by, hit) -> askedOfLonger.add(by + " " + hit) && (by + hit) % 7 > 0;
            assertArrayEquals(
                    GreedyCollapse.of(ranked, maxDistance, test), GreedyCollapse.of(longer, maxDistance, same));
            assertEquals(asked, askedOfLonger);
        }
    }

    public void testALargerWindowOnlyAdds() {
        List<HitPrints> ranked = ranked(200);
        int[] all = hiddenBy(ranked, 10);
        for (int window = 0; window < 200; window += 7) {
            assertArrayEquals(Arrays.copyOf(all, window), hiddenBy(ranked.subList(0, window), 10));
        }
    }

    public void testAHiddenHitHidesNothing() {
        List<HitPrints> chain = Stream.of(0b0L, 0b111L, 0b111111L, 0b111110L)
                .map(bits -> print(List.of(bits), List.of(), List.of("v1-a")))
                .toList();
        assertArrayEquals(new int[] {-1, 0, -1, 2}, hiddenBy(chain, 3));
    }

    public void testEqualDigestsAreNearWhateverTheSchemeOrTheBits() {
        List<HitPrints> hits = List.of(
                print(List.of(0L), List.of("d"), List.of("v1-a")),
                print(List.of(-1L), List.of("d"), List.of("v1-b")),
                print(List.of(), List.of("d"), List.of("v1-c")),
                print(List.of(0L), List.of("e"), List.of("v1-b")));
        assertArrayEquals(new int[] {-1, 0, 0, -1}, hiddenBy(hits, 3));
        assertEquals(0, GreedyCollapse.distance(hits.get(0), hits.get(1)));
    }

    public void testHitsWithoutFingerprintStay() {
        HitPrints none = print(List.of(), List.of(), List.of());
        assertArrayEquals(new int[] {-1, -1, -1}, hiddenBy(List.of(none, none, none), 64));
    }

    public void testTooManyFingerprintsAreRefused() {
        HitPrints half = print(Collections.nCopies(50_000, 0L), List.of(), List.of("v1-a"));
        assertArrayEquals(new int[] {-1, 0}, hiddenBy(List.of(half, half), 3));
        List<HitPrints> more = List.of(half, half, print(List.of(0L), List.of(), List.of("v1-a")));
        var e = expectThrows(OpenSearchStatusException.class, () -> hiddenBy(more, 3));
        assertEquals(RestStatus.BAD_REQUEST, e.status());
        assertEquals(
                "[collapse_near_duplicates] [oversample] times the hits up to the end of the page must have at most"
                        + " 100000 fingerprints, got: 100001",
                e.getMessage());
    }

    public void testTooManySketchesAreRefused() {
        Sketch sketch = Sketch.of(new long[] {1, 2, 3}, 3, 128);
        HitPrints half = new HitPrints(Collections.nCopies(10_000, sketch), List.of("d"), List.of("m2-a"));
        Threshold.Similarity any = new Threshold.Similarity(0.5, false);
        RankedHits.SketchedHits most = new RankedHits.SketchedHits(List.of(half, half), any);
        assertArrayEquals(new int[] {-1, 0}, most.hiddenBy(PairTest.ANY));
        HitPrints one = new HitPrints(List.of(sketch), List.of("d"), List.of("m2-a"));
        RankedHits.SketchedHits more = new RankedHits.SketchedHits(List.of(half, half, one), any);
        for (Runnable refused : List.<Runnable>of(() -> more.hiddenBy(PairTest.ANY), () -> more.near(PairTest.ANY))) {
            var e = expectThrows(OpenSearchStatusException.class, refused::run);
            assertEquals(RestStatus.BAD_REQUEST, e.status());
            assertEquals(
                    "[collapse_near_duplicates] [oversample] times the hits up to the end of the page must have at most"
                            + " 20000 sketches, got: 20001",
                    e.getMessage());
        }
    }

    public void testFingerprintsOfSeveralSchemesCountForEach() {
        List<Long> bits = LongStream.range(0, 1000).boxed().toList();
        List<String> schemes = IntStream.range(0, 101).mapToObj(i -> "v1-" + i).toList();
        HitPrints most = print(bits, List.of(), schemes.subList(0, 100));
        assertArrayEquals(new int[] {-1}, hiddenBy(List.of(most), 3));
        HitPrints more = print(bits, List.of(), schemes);
        var e = expectThrows(OpenSearchStatusException.class, () -> hiddenBy(List.of(more), 3));
        assertEquals(
                "[collapse_near_duplicates] [oversample] times the hits up to the end of the page must have at most"
                        + " 100000 fingerprints, got: 101000",
                e.getMessage());
    }

    public void testTheNearestOfSeveralFingerprintsCounts() {
        List<HitPrints> hits = List.of(
                print(List.of(-1L, 0b1111L), List.of(), List.of("v1-a")),
                print(List.of(0b0111_0000_0000L, 0b0111L), List.of(), List.of("v1-a")));
        assertArrayEquals(new int[] {-1, 0}, hiddenBy(hits, 1));
        assertEquals(1, GreedyCollapse.distance(hits.get(0), hits.get(1)));
    }

    /** As fingerprints do, so do sketches, passages and groups: here each hit is near the one before it alone. */
    public void testPairByPairAHiddenHitHidesNothing() {
        List<Integer> kept = new ArrayList<>();
        int[] hidden = GreedyCollapse.of(5, rank -> kept, (by, hit) -> hit - by == 1);
        assertArrayEquals(new int[] {-1, 0, -1, 2, -1}, hidden);
    }

    private static int[] hiddenBy(List<HitPrints> ranked, int maxDistance) {
        return GreedyCollapse.of(ranked, maxDistance, GreedyCollapse.PairTest.ANY);
    }

    private static int[] bruteForce(List<HitPrints> ranked, int maxDistance, GreedyCollapse.PairTest test) {
        int[] hiddenBy = new int[ranked.size()];
        for (int i = 0; i < hiddenBy.length; i++) {
            HitPrints hit = ranked.get(i);
            int rank = i;
            hiddenBy[i] = IntStream.range(0, i)
                    .filter(kept -> hiddenBy[kept] == -1)
                    .filter(kept -> near(ranked.get(kept), hit, maxDistance))
                    .filter(kept -> test.mayHide(kept, rank))
                    .findFirst()
                    .orElse(-1);
        }
        return hiddenBy;
    }

    private static boolean near(HitPrints a, HitPrints b, int maxDistance) {
        boolean comparable =
                a.schemes().equals(b.schemes()) || a.schemes().stream().anyMatch(b.schemes()::contains);
        boolean close = a.values().stream()
                .anyMatch(x -> b.values().stream().anyMatch(y -> Long.bitCount((Long) x ^ (Long) y) <= maxDistance));
        return a.digests().stream().anyMatch(b.digests()::contains) || (comparable && close);
    }

    /** Some families of edited copies, of two recipes or none; some too short for a fingerprint, some with several. */
    private static List<HitPrints> ranked(int size) {
        long[] families = families(randomIntBetween(1, 8));
        List<HitPrints> ranked = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            List<Long> bits = new ArrayList<>();
            for (int several = randomFrom(0, 1, 1, 1, 1, 1, 2); several > 0; several--) {
                long edited = families[randomIntBetween(0, families.length - 1)];
                for (int flips = randomIntBetween(0, 9); flips > 0; flips--) {
                    edited ^= 1L << randomIntBetween(0, 63);
                }
                bits.add(edited);
            }
            List<String> digests = rarely() ? List.of() : List.of("digest " + randomIntBetween(0, 500));
            List<String> schemes = randomFrom(SCHEMES);
            ranked.add(print(bits, digests, schemes));
        }
        return ranked;
    }

    private static long[] families(int size) {
        return IntStream.range(0, size).mapToLong(i -> randomLong()).toArray();
    }

    private static HitPrints print(List<Long> bits, List<String> digests, List<String> schemes) {
        return new HitPrints(bits, digests, schemes);
    }

    /** The digest decided: texts are not compared for a worse hit, whatever else is near. */
    public void testNoHashIsAskedAboutBehindABetterHit() {
        LongHash zero = LongHash.fromHex("0".repeat(64));
        LongHash ones = LongHash.fromHex("f".repeat(64));
        List<HitPrints> hits = List.of(
                new HitPrints(List.of(zero), List.of("d"), List.of("given-x")),
                new HitPrints(List.of(ones), List.of("e"), List.of("given-x")),
                new HitPrints(List.of(ones), List.of("d"), List.of("given-x")));
        List<String> asked = new ArrayList<>();
        int[] hidden = GreedyCollapse.of(hits, 3, (by, hit) -> asked.add(by + " " + hit));
        assertArrayEquals(new int[] {-1, -1, 0}, hidden);
        assertEquals(List.of("0 2"), asked);
    }

    /** Of many stories, each hit looks at those of its own only. */
    public void testHitsOfManyStoriesAreNotComparedEachWithEach() {
        int size = 4_000;
        long[] looked = {0};
        List<Apart> all = new AbstractList<>() {
            @Override
            public Apart get(int rank) {
                looked[0]++;
                return new Apart("d" + rank, rank % 2 == 0 ? null : "g" + rank % (size / 2), Set.of());
            }

            @Override
            public int size() {
                return size;
            }
        };
        Stories stories = new Stories(all);
        int[] hidden = new RankedHits.GroupedHits(Collections.nCopies(size, HitPrints.NONE), stories)
                .hiddenBy((by, hit) -> by % 3 != 0);
        for (int rank = 0; rank < size; rank++) {
            boolean isSecond = rank >= size / 2 && rank % 2 == 1 && (rank - size / 2) % 3 != 0;
            assertEquals(isSecond ? rank - size / 2 : GreedyCollapse.KEPT, hidden[rank]);
        }
        assertTrue("looked " + looked[0] + " times", looked[0] <= 4L * size);
    }

    /** All share all terms and no pair passes; and more terms than are compared. */
    public void testHitsWithTheSameTerms() {
        long[] terms = random().longs(40, 0, 1L << 42).toArray();
        RankedHits.PassageHits all = new RankedHits.PassageHits(
                Collections.nCopies(2_000, new HitPrints(List.of(terms), List.of(), List.of("p1"))));
        long[] asked = {0};
        int[] none = all.hiddenBy((by, hit) -> {
            asked[0]++;
            return false;
        });
        assertEquals(
                2_000,
                Arrays.stream(none).filter(by -> by == GreedyCollapse.KEPT).count());
        assertEquals("each pair once", 2_000 * 1_999 / 2, asked[0]);
        assertEquals(2_000, all.near(PairTest.ANY).cardinality());
        int[] hidden = all.hiddenBy(PairTest.ANY);
        assertEquals(1_999, Arrays.stream(hidden).filter(by -> by == 0).count());
        RankedHits.PassageHits many = new RankedHits.PassageHits(
                Collections.nCopies(3, new HitPrints(List.of(new long[700_000]), List.of(), List.of("p1"))));
        assertEquals(
                "[collapse_near_duplicates] [oversample] times the hits up to the end of the page must have at most 2000000"
                        + " terms of passages, got: 2100000",
                expectThrows(OpenSearchStatusException.class, () -> many.hiddenBy(PairTest.ANY))
                        .getMessage());
    }
}
