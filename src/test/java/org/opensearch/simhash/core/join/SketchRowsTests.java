/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.join.NearJoin.MergedJoins;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.sketch.SketchWords;

/** Pairs of similar sketches, against all pairs compared: on the heap and in a file, as a whole and in passes. */
class SketchRowsTests {

    private static final int NEVER = 1 << 30;

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    @TempDir
    Path folder;

    private final ExecutorService threads = Executors.newFixedThreadPool(3);
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong compared = new AtomicLong();
    private long mostLinks = Long.MAX_VALUE;

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /** A document with a sketch; the digest of a text that is too short for one, if it is null. */
    private record Row(long address, Sketch sketch, long digest, int stratum) {}

    private NearJoin.Joined join(List<Row> rows, double minimum, Chunks chunks, Wanted wanted, Path inFolder) {
        NearJoin join = new NearJoin(0, threads, 3, 1L << 30, compared::addAndGet);
        try (FingerprintRows joined = new FingerprintRows(16, new Prints(128, minimum), inFolder, taken::addAndGet)) {
            for (int stratum = 0; stratum < 3; stratum++) {
                joined.stratum(stratum, 0, 100 + stratum);
            }
            for (Row row : rows) {
                if (row.sketch == null) {
                    if (chunks.contains(row.digest)) {
                        joined.addWithoutBits(row.address, row.digest, row.stratum);
                    }
                    continue;
                }
                int permutations = row.sketch.permutations();
                long[] words = new long[3 + SketchWords.length(permutations)];
                SketchWords.write(row.sketch.bytes(), SketchWords.HEADER, permutations, words, 3);
                long hash = SketchWords.hash(words, 3);
                if (chunks.contains(hash)) {
                    joined.addWords(row.address, hash, 0, row.stratum, words, 3);
                }
            }
            return join.join(joined, chunks, wanted.atMost(mostLinks));
        }
    }

    private static Set<String> pairs(Cliques cliques) {
        return pairs(cliques, true);
    }

    /** @param once whether no document has several sketches, so that each pair is linked once */
    private static Set<String> pairs(Cliques cliques, boolean once) {
        Set<String> pairs = new TreeSet<>();
        for (int clique = 0; clique < cliques.size(); clique++) {
            long[] members = cliques.members(clique);
            for (int i = 0; i < members.length; i++) {
                for (int j = i + 1; j < members.length; j++) {
                    pairs.add(pair(members[i], members[j]));
                }
            }
        }
        cliques.links().forEach((a, b, distance) -> {
            assertEquals(-1, distance);
            for (long left : cliques.members(a)) {
                for (long right : cliques.members(b)) {
                    assertTrue(left != right || once == false, "a link of a document to itself");
                    assertTrue(pairs.add(pair(left, right)) || once == false, "each link once");
                }
            }
        });
        return pairs;
    }

    private static String pair(long a, long b) {
        return Math.min(a, b) + "-" + Math.max(a, b);
    }

    /** Clusters of five, in three strata, with sketches of two lengths. */
    private List<Row> clusters(Random random, int clusters) {
        List<Row> rows = new ArrayList<>();
        for (int cluster = 0; cluster < clusters; cluster++) {
            long[] base = random.longs(150).toArray();
            for (int copy = 0; copy < 5; copy++) {
                long[] features = base.clone();
                int changed = copy == 1 ? 0 : random.nextInt(60);
                for (int i = 0; i < changed; i++) {
                    features[random.nextInt(features.length)] = random.nextLong();
                }
                int stratum = rows.size() % 7 == 0 ? 1 : cluster % 5 == 0 ? 2 : 0;
                Sketch sketch = Sketch.of(features, features.length, stratum == 2 ? 100 : 128);
                rows.add(new Row(rows.size(), sketch, 0, stratum));
            }
        }
        return rows;
    }

    private static Set<String> similar(List<Row> rows, double minimum) {
        Set<String> expected = new TreeSet<>();
        for (Row a : rows) {
            for (Row b : rows) {
                if (a.address < b.address
                        && a.stratum == b.stratum
                        && Sketch.similarity(a.sketch.agreeing(b.sketch), a.sketch.permutations()) >= minimum) {
                    expected.add(pair(a.address, b.address));
                }
            }
        }
        return expected;
    }

    @Test
    void testFindsEveryPairOfTheSimilarity() {
        Random random = new Random(seed.value());
        for (double minimum : new double[] {0.95, 0.8, 0.7, 0.5}) {
            List<Row> rows = clusters(random, 60);
            Set<String> expected = similar(rows, minimum);
            for (Path place : Arrays.asList(null, folder)) {
                compared.set(0);
                NearJoin.Joined found = join(rows, minimum, Chunks.WHOLE, Wanted.ALL, place);
                assertEquals(expected, pairs(found.cliques()), "from " + minimum);
                assertEquals(expected.size(), found.pairs());
                assertTrue(compared.get() < 45_000 / 2, compared + " compared");
                assertEquals(0, taken.get());
            }
        }
    }

    @Test
    void testPassesFindEveryPairOnce() {
        Random random = new Random(seed.value());
        List<Row> rows = clusters(random, 40);
        // The first documents have two sketches each.
        for (int i = 0; i < 20; i++) {
            Row other = rows.get(150 + i);
            rows.add(i * 2 + 1, new Row(rows.get(i * 2).address, other.sketch, 0, other.stratum));
        }
        NearJoin.Joined whole = join(rows, 0.8, Chunks.WHOLE, Wanted.ALL, null);
        for (Wanted wanted : List.of(Wanted.ALL, Wanted.FOREST)) {
            Account memory = new Account(taken::addAndGet);
            MergedJoins merged = new MergedJoins(wanted, memory);
            for (Chunks chunks : Chunks.pairs(4)) {
                merged.add(join(rows, 0.8, chunks, wanted, random.nextBoolean() ? folder : null));
            }
            NearJoin.Joined inPasses = merged.build();
            assertEquals(whole.pairs(), inPasses.pairs());
            assertEquals(components(whole.cliques()), components(inPasses.cliques()));
            if (wanted.forest() == false) {
                assertEquals(pairs(whole.cliques(), false), pairs(inPasses.cliques(), false));
            }
        }
    }

    /** The first document of each one's group. */
    private static Map<Long, Long> components(Cliques cliques) {
        long[] documents = cliques.documents();
        DisjointSets sets = new DisjointSets(documents.length);
        for (int i = 0; i < cliques.size(); i++) {
            for (long member : cliques.members(i)) {
                sets.unite(place(documents, cliques.members(i)[0]), place(documents, member));
            }
        }
        cliques.links()
                .forEach((a, b, distance) ->
                        sets.unite(place(documents, cliques.members(a)[0]), place(documents, cliques.members(b)[0])));
        Map<Long, Long> first = new TreeMap<>();
        for (int i = 0; i < documents.length; i++) {
            first.put(documents[i], documents[sets.root(i)]);
        }
        return first;
    }

    private static int place(long[] documents, long address) {
        return Arrays.binarySearch(documents, address);
    }

    @Test
    void testTextsTooShortForASketchAreLinkedByEqualDigests() {
        List<Row> rows = new ArrayList<>(List.of(
                new Row(1, null, 71, 0), new Row(2, null, 72, 0), new Row(3, null, 71, 0), new Row(4, null, 73, 1)));
        // More than were expected, before the first sketch.
        for (int i = 10; i < 40; i++) {
            rows.add(new Row(i, null, 1_000 + i, 0));
        }
        Sketch sketch = Sketch.of(new long[] {1, 2, 3}, 3, 128);
        rows.add(new Row(50, sketch, 0, 0));
        rows.add(new Row(51, sketch, 0, 0));
        NearJoin.Joined found = join(rows, 0.8, Chunks.WHOLE, Wanted.ALL, null);
        assertEquals(Set.of("1-3", "50-51"), pairs(found.cliques()));
        assertEquals(2, found.pairs());
    }

    @Test
    void testEndsWhenTheMemoryRefuses() {
        List<Row> rows = clusters(new Random(seed.value()), 400);
        for (Path place : Arrays.asList(null, folder)) {
            join(rows, 0.8, Chunks.WHOLE, Wanted.ALL, place);
            long needed = NEVER;
            for (long limit = 1 << 16; limit < needed; limit *= 2) {
                long most = limit;
                AtomicLong now = new AtomicLong();
                try (FingerprintRows joined = new FingerprintRows(16, new Prints(128, 0.8), place, bytes -> {
                    if (now.addAndGet(bytes) > most && bytes > 0) {
                        now.addAndGet(-bytes);
                        throw new IllegalStateException("full");
                    }
                })) {
                    Sketch sketch = rows.getFirst().sketch;
                    long[] words = new long[SketchWords.length(sketch.permutations())];
                    SketchWords.write(sketch.bytes(), SketchWords.HEADER, sketch.permutations(), words, 0);
                    joined.stratum(0, 0, 0);
                    for (int i = 0; i < 5_000; i++) {
                        joined.addWords(i, i, 0, 0, words, 0);
                    }
                    needed = limit;
                } catch (IllegalStateException e) {
                    assertEquals("full", e.getMessage());
                }
                assertEquals(0, now.get());
            }
            assertTrue(place == null ? needed >= 1 << 20 : needed <= 1 << 16, needed + " bytes");
        }
    }

    @Test
    void testTooManyLinksNameTheOption() {
        mostLinks = 10;
        List<Row> rows = new ArrayList<>();
        Random random = new Random(seed.value());
        long[] base = random.longs(150).toArray();
        for (int i = 0; i < 400; i++) {
            long[] features = base.clone();
            features[i % 150] = random.nextLong();
            rows.add(new Row(i, Sketch.of(features, features.length, 128), 0, 0));
        }
        IllegalArgumentException tooMany =
                assertThrows(IllegalArgumentException.class, () -> join(rows, 0.8, Chunks.WHOLE, Wanted.ALL, null));
        assertEquals(
                "[min_similarity] must be greater: there are more pairs of different sketches than a job keeps, got: 0.8",
                tooMany.getMessage());
        mostLinks = Long.MAX_VALUE;
        assertTrue(join(rows, 0.8, Chunks.WHOLE, Wanted.FOREST, null)
                        .cliques()
                        .links()
                        .size()
                <= 3 * 399);
    }

    @Test
    void testOfOneBandAllArePairs() {
        long[] features = new Random(seed.value()).longs(20).toArray();
        List<Row> rows = List.of(
                new Row(7, Sketch.of(features, 20, 128), 0, 0),
                new Row(8, Sketch.of(Arrays.copyOf(features, 10), 10, 128), 0, 0));
        assertEquals(
                Set.of("7-8"),
                pairs(join(rows, 0.01, Chunks.WHOLE, Wanted.ALL, null).cliques()));
    }
}
