/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opensearch.simhash.core.sample.Document;
import org.opensearch.simhash.core.sample.Draw;

/** How many duplicates a job finds is told by a part of the documents, whatever the shape of the groups. */
class LinkedTests {

    private static final int CORPORA = 50;
    private static final int STEP = 11;
    private static final double WITHIN = 0.15;

    /** With the same seeds each time. An interval may miss the truth 5 of 100 times, so 6 of 50 once in 40. */
    private static final int LEAST = 45;

    /** Makes a corpus of some 1,000 documents by its seed. */
    private record Shape(String name, LongFunction<SimulatedCorpus> corpus) {}

    private static Stream<Shape> shapes() {
        return Stream.of(
                new Shape(
                        "cliques",
                        seed -> new SimulatedCorpus(seed)
                                .families(80 + (int) seed, 2 + (int) seed % 7, 0.1, 0.5)
                                .single(400, 0.5)),
                new Shape(
                        "chains",
                        seed -> new SimulatedCorpus(seed)
                                .chains(20, 5 + (int) seed)
                                .single(400, 0.5)),
                new Shape(
                        "stars",
                        seed -> new SimulatedCorpus(seed)
                                .stars(80, 5 + (int) seed % 10)
                                .single(400, 0.5)),
                new Shape(
                        "mixtures",
                        seed -> new SimulatedCorpus(seed)
                                .families(60, 2, 0.1, 0.5)
                                .families(1, 100 + (int) seed, 0.1, 0.5)
                                .families(1, 60, 0.3, 0.5)
                                .chains(20, 5 + (int) seed % 20)
                                .stars(20, 12)
                                .single(300, 0.5)));
    }

    @TestFactory
    Stream<DynamicTest> testTheNumberOfDuplicatesIsTold() {
        return shapes().map(shape -> DynamicTest.dynamicTest(shape.name, () -> check(shape)));
    }

    private static void check(Shape shape) {
        int held = 0;
        for (long seed = 0; seed < CORPORA; seed++) {
            SimulatedCorpus corpus = shape.corpus.apply(seed);
            long[][] near = IntStream.range(0, corpus.size())
                    .mapToObj(document -> corpus.linked(document, STEP))
                    .toArray(long[][]::new);
            long of = seed;
            Comparator<Long> ranks = Comparator.comparingLong(document -> Document.hash(of, document));
            Draw draw = corpus.draw(500, seed);
            Linked linked = new Linked(ranks);
            List<Long> drawn = draw.documents().stream().map(Document::address).toList();
            Map<Long, Integer> asked = new HashMap<>();
            linked.explore(drawn, links(near, asked), 64, 20_000);
            assertTrue(asked.values().stream().allMatch(times -> times == 1), "asked twice");
            List<Linked.Part> parts = linked.parts(drawn, document -> corpus.chance(draw, document));
            double unseen = Arrays.stream(draw.bands().weights()).max().orElseThrow();
            Interval survivor = Linked.duplicates(parts, Linked.Part::survivor, unseen, corpus.size());
            Interval chain = Linked.duplicates(parts, Linked.Part::chain, unseen, corpus.size());
            int bySurvivor = duplicates(near, ranks);
            int byChain = near.length - components(near);
            String what =
                    shape.name + " " + seed + ": " + survivor + " for " + bySurvivor + ", " + chain + " for " + byChain;
            assertEquals(bySurvivor, survivor.estimate(), WITHIN * bySurvivor, what);
            assertEquals(byChain, chain.estimate(), WITHIN * byChain, what);
            boolean holds = survivor.low() <= bySurvivor && bySurvivor <= survivor.high();
            held += holds && chain.low() <= byChain && byChain <= chain.high() ? 1 : 0;
            assertTrue(survivor.high() - survivor.low() <= 0.6 * bySurvivor, what);
        }
        assertTrue(held >= LEAST, "held in " + held);
    }

    private static Function<List<Long>, Map<Long, long[]>> links(long[][] near, Map<Long, Integer> asked) {
        return documents -> {
            Map<Long, long[]> links = new HashMap<>();
            for (long document : documents) {
                asked.merge(document, 1, Integer::sum);
                links.put(document, near[(int) document]);
            }
            return links;
        };
    }

    /** As a job does: in the order of ranks, each free document takes the free ones linked to it. Returns the others. */
    private static int duplicates(long[][] near, Comparator<Long> ranks) {
        Set<Long> taken = new HashSet<>();
        List<Long> ranked =
                LongStream.range(0, near.length).boxed().sorted(ranks).toList();
        int duplicates = 0;
        for (long document : ranked) {
            if (taken.add(document)) {
                for (long other : near[(int) document]) {
                    duplicates += taken.add(other) ? 1 : 0;
                }
            }
        }
        return duplicates;
    }

    private static int components(long[][] near) {
        Set<Long> seen = new HashSet<>();
        int count = 0;
        for (long document = 0; document < near.length; document++) {
            if (seen.add(document)) {
                count++;
                ArrayDeque<Long> left = new ArrayDeque<>(List.of(document));
                while (left.isEmpty() == false) {
                    for (long other : near[left.poll().intValue()]) {
                        if (seen.add(other)) {
                            left.add(other);
                        }
                    }
                }
            }
        }
        return count;
    }

    /** A path of documents, linked to those beside them. */
    private static Function<List<Long>, Map<Long, long[]>> path(int length, Set<Long> silent) {
        return documents -> {
            Map<Long, long[]> links = new HashMap<>();
            for (long document : documents) {
                if (silent.contains(document) == false) {
                    links.put(
                            document,
                            LongStream.of(document - 1, document + 1)
                                    .filter(other -> other >= 0 && other < length)
                                    .toArray());
                }
            }
            return links;
        };
    }

    private static Linked.Part part(Linked linked, long document) {
        return linked.parts(List.of(document), any -> 0.5).getFirst();
    }

    @Test
    void testAWholeComponentIsKnownHoweverLong() {
        Linked linked = new Linked(Comparator.naturalOrder());
        linked.explore(List.of(7L, 30L), path(41, Set.of()), 50, 1_000);
        assertEquals(
                List.of(new Linked.Part(Linked.Number.of(20), Linked.Number.of(40), 1 - Math.pow(0.5, 41))),
                linked.parts(List.of(7L, 30L), any -> 0.5));
    }

    @Test
    void testTheRoundsAreBounded() {
        Linked linked = new Linked(Comparator.naturalOrder());
        linked.explore(List.of(50L), path(1_000, Set.of()), 3, 1_000);
        // 48 to 52 were asked, and 47 may be a duplicate of 46 or not.
        Linked.Part part = part(linked, 50);
        assertEquals(new Linked.Number(0, 2 / 3.0, 1), part.survivor());
        assertEquals(6 / 7.0, part.chain().low(), 1e-9);
        assertEquals(1, part.chain().high());
        assertEquals(0.5, part.chance());
    }

    @Test
    void testTheDocumentsAreBounded() {
        Linked linked = new Linked(Comparator.naturalOrder());
        linked.explore(List.of(0L, 100L), path(1_000, Set.of()), 10, 1);
        assertEquals(Linked.Number.UNKNOWN, part(linked, 100).survivor());
        // Nobody has a better rank.
        assertEquals(Linked.Number.of(0), part(linked, 0).survivor());
    }

    /** What is known around a document with too many links decides as far as it goes. */
    @Test
    void testADocumentThatDoesNotTellLeavesOthersKnown() {
        Linked linked = new Linked(Comparator.naturalOrder());
        linked.explore(List.of(1L, 3L, 5L), path(6, Set.of(2L)), 10, 1_000);
        assertEquals(Linked.Number.of(1), part(linked, 1).survivor());
        assertEquals(new Linked.Number(0, 2 / 3.0, 1), part(linked, 3).survivor());
        assertEquals(5 / 6.0, part(linked, 5).chain().low(), 1e-9);
    }

    /** What is not known is in the interval, which is no wider than that where all documents were drawn. */
    @Test
    void testTheIntervalHasWhatIsNotKnown() {
        List<Linked.Part> parts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            parts.add(new Linked.Part(Linked.Number.of(1), Linked.Number.of(1), 1));
        }
        assertEquals(new Interval(50.0, 50, 50), Linked.duplicates(parts, Linked.Part::survivor, 0, 100));
        parts.add(new Linked.Part(new Linked.Number(0, 0.75, 1), Linked.Number.of(1), 1));
        assertEquals(new Interval(50.75, 50, 51), Linked.duplicates(parts, Linked.Part::survivor, 0, 100));
        assertEquals(new Interval(51.0, 51, 51), Linked.duplicates(parts, Linked.Part::chain, 0, 100));
        Interval sampled = Linked.duplicates(parts, Linked.Part::survivor, 2, 100);
        assertTrue(sampled.low() < 50 && sampled.high() > 52 && sampled.high() < 70, sampled.toString());
        assertEquals(0, Linked.duplicates(List.of(), Linked.Part::chain, 2, 100).low());
        assertTrue(Linked.duplicates(List.of(), Linked.Part::chain, 2, 100).high() > 3);
    }

    /** Equal documents leave one survivor, however many they are. */
    @Test
    void testACrowdOfEqualDocumentsIsKnownWithoutItsLinks() {
        Linked.Part crowd = Linked.Part.ofCrowd(0.99, 9_999, 10_000, 0.1);
        assertEquals(0.99 * 0.9999, crowd.survivor().low(), 1e-9);
        assertEquals(10_000 / 10_001.0, crowd.chain().likely(), 1e-9);
        assertEquals(1, crowd.chain().high());
    }
}
