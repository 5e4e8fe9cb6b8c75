/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.sketch.SketchWords;

/** The links of a join of long hashes are those of brute force. */
class LongHashRowsTests {

    /** More than are compared as a whole. */
    private static final int SEVERAL = JoinCost.SMALL + JoinCost.SMALL / 8;

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final AtomicLong memory = new AtomicLong();

    @TempDir
    private Path folder;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());

    @AfterEach
    void shutDown() {
        executor.shutdown();
    }

    /** Makes the words of the next hash from all before it. */
    private interface Words {
        long[] next(long[][] before, int i, int width);
    }

    private long[] random(int width) {
        return random.longs(width).toArray();
    }

    private long[] flipped(long[] words, int bits) {
        long[] flipped = words.clone();
        for (int i = 0; i < bits; i++) {
            flipped[random.nextInt(words.length)] ^= 1L << random.nextInt(Long.SIZE);
        }
        return flipped;
    }

    /** Two of ten are an earlier one with some bits flipped. */
    private long[] uniform(long[][] before, int i, int width) {
        return i > 0 && random.nextInt(5) == 0 ? flipped(before[random.nextInt(i)], random.nextInt(80)) : random(width);
    }

    private long[] equalFirst(long[][] before, int i, int width) {
        long[] words = uniform(before, i, width);
        words[0] = 7;
        return words;
    }

    /** Of one word, most are equal, and the others are near. */
    private long[] skewedOne(long[][] before, int i, int width) {
        long[] words = uniform(before, i, width);
        words[width - 1] = random.nextInt(3) > 0 ? 5 : JoinCases.flip(5, random.nextInt(9), random);
        return words;
    }

    /** Few bits are set at all. */
    private long[] sparse(long[][] before, int i, int width) {
        return flipped(new long[width], random.nextInt(60));
    }

    /** Words change their places, so that those of unlike hashes are equal. */
    private long[] shuffled(long[][] before, int i, int width) {
        long[] words = uniform(before, i, width);
        if (i > 0) {
            words[random.nextInt(width)] = before[random.nextInt(i)][random.nextInt(width)];
        }
        return words;
    }

    @Test
    void testFindsThePairsOfBruteForceAmongFew() {
        for (int round = 0; round < Rounds.of(30, 500); round++) {
            for (Words words :
                    new Words[] {this::uniform, this::equalFirst, this::skewedOne, this::sparse, this::shuffled}) {
                int count = random.nextInt(2, 120);
                check(hashes(count, 4, words), random.nextInt(1, 4), random.nextInt(65));
            }
        }
    }

    @Test
    void testFindsThePairsOfBruteForceAmongMany() {
        for (Words words :
                new Words[] {this::uniform, this::equalFirst, this::skewedOne, this::sparse, this::shuffled}) {
            LongHash[] hashes = hashes(SEVERAL, 4, words);
            check(hashes, 1, 0, 1, random.nextInt(2, 31), 31, 64);
        }
    }

    @Test
    void testADocumentIsNoPairWithItself() {
        try (FingerprintRows rows = new FingerprintRows(10, Prints.HASHES, null, memory::addAndGet)) {
            rows.stratum(0, 0, 0);
            add(0, new LongHash(1, 2, 3, 4), 0, rows);
            add(0, new LongHash(1, 2, 3, 5), 0, rows);
            add(1, new LongHash(-1, -1, -1, -1), 0, rows);
            assertEquals(0, join(31).join(rows, Chunks.WHOLE, Wanted.ALL).pairs());
        }
    }

    @Test
    void testRefusesMoreLinksThanFit() {
        LongHash[] hashes = hashes(SEVERAL, 4, (before, i, width) -> flipped(new long[width], 4));
        try (FingerprintRows rows = rows(hashes, 1)) {
            Wanted few = Wanted.ALL.atMost(Wanted.LEAST_LINKS);
            Exception refused =
                    assertThrows(IllegalArgumentException.class, () -> join(31).join(rows, Chunks.WHOLE, few));
            assertEquals(
                    "[max_distance] must be smaller for hashes of more than 64 bits, whose links are all kept unless"
                            + " [linkage] is chain: there are more than fit into"
                            + " [plugins.simhash.deduplicate.memory], got: 31",
                    refused.getMessage());
        }
        assertEquals(0, memory.get());
    }

    @Test
    void testAForestConnectsWhatIsConnected() {
        LongHash[] hashes = hashes(SEVERAL, 4, (before, i, width) -> flipped(new long[width], 4));
        try (FingerprintRows rows = rows(hashes, 1)) {
            Cliques forest = join(31).join(rows, Chunks.WHOLE, Wanted.FOREST).cliques();
            assertTrue(forest.links().size() < 2L * forest.size(), "at most a forest per thread");
            assertEquals(1, NearJoinTests.chains(forest).size());
        }
    }

    private LongHash[] hashes(int count, int width, Words words) {
        long[][] made = new long[count][];
        LongHash[] hashes = new LongHash[count];
        for (int i = 0; i < count; i++) {
            made[i] = i > 0 && random.nextInt(20) == 0 ? made[random.nextInt(i)] : words.next(made, i, width);
            hashes[i] = new LongHash(made[i]);
        }
        return hashes;
    }

    private NearJoin join(int distance) {
        return new NearJoin(distance, executor, 2, Long.MAX_VALUE, pairs -> {});
    }

    private FingerprintRows rows(LongHash[] hashes, int strata) {
        FingerprintRows rows = new FingerprintRows(
                random.nextInt(2 * hashes.length),
                Prints.HASHES,
                random.nextBoolean() ? folder : null,
                memory::addAndGet);
        for (int stratum = 0; stratum < strata; stratum++) {
            rows.stratum(stratum, stratum, stratum);
        }
        for (int i = 0; i < hashes.length; i++) {
            add(i, hashes[i], i % strata, rows);
        }
        return rows;
    }

    private static void add(long address, LongHash hash, int stratum, FingerprintRows rows) {
        byte[] bytes = hash.toBytes();
        long[] words = new long[SketchWords.length(bytes.length)];
        SketchWords.write(bytes, 0, bytes.length, words, 0);
        rows.addWords(address, SketchWords.hash(words, 0), 0, stratum, words, 0);
    }

    /** Sets of links of which no link is twice, as numbers that differ where they differ. */
    private static final class Links {
        private long count;
        private long sum;

        void add(long a, long b, int distance) {
            long mixed = (Math.min(a, b) << Integer.SIZE | Math.max(a, b)) * 0x9E37_79B9_7F4A_7C15L + distance;
            sum += (mixed ^ mixed >>> 29) * 0xD6E8_FEB8_6659_FD93L;
            count++;
        }

        @Override
        public String toString() {
            return count + " links, " + sum;
        }
    }

    private void check(LongHash[] hashes, int strata, int... distances) {
        Links[] expected = Stream.generate(Links::new).limit(distances.length).toArray(Links[]::new);
        for (int i = 0; i < hashes.length; i++) {
            for (int j = i + strata; j < hashes.length; j += strata) {
                int between = hashes[i].distance(hashes[j]);
                for (int k = 0; k < distances.length; k++) {
                    if (between <= distances[k]) {
                        expected[k].add(i, j, between);
                    }
                }
            }
        }
        for (int k = 0; k < distances.length; k++) {
            check(expected[k], hashes, strata, distances[k]);
        }
    }

    private void check(Links expected, LongHash[] hashes, int strata, int distance) {
        Links found = new Links();
        try (FingerprintRows rows = rows(hashes, strata)) {
            NearJoin.Joined joined = join(distance).join(rows, Chunks.WHOLE, Wanted.ALL);
            assertEquals(expected.count, joined.pairs());
            Cliques cliques = joined.cliques();
            for (int clique = 0; clique < cliques.size(); clique++) {
                long[] members = cliques.members(clique);
                for (int i = 0; i < members.length; i++) {
                    for (int j = 0; j < i; j++) {
                        found.add(members[i], members[j], 0);
                    }
                }
            }
            cliques.links().forEach((a, b, between) -> {
                for (long first : cliques.members(a)) {
                    for (long second : cliques.members(b)) {
                        found.add(first, second, between);
                    }
                }
            });
        }
        assertEquals(expected.toString(), found.toString(), "within " + distance);
        assertEquals(0, memory.get());
    }
}
