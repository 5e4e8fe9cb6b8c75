/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.join.NearJoin.MergedJoins;
import org.opensearch.simhash.core.memory.Account;

class MergedJoinsTests {

    private static final int DISTANCE = 3;
    private static final int CHUNKS = 4;

    private final AtomicLong memory = new AtomicLong();
    private final AtomicLong most = new AtomicLong();
    private final long[] values = JoinCases.chained(3_000, new SplittableRandom(1));

    private final Account account = new Account(bytes -> most.accumulateAndGet(memory.addAndGet(bytes), Math::max));

    @Test
    void testPairsOfChunksTogetherAreWhatOneJoinFinds() {
        NearJoin.Joined whole = join(Chunks.WHOLE, Wanted.ALL);
        NearJoin.Joined merged = merged(Wanted.ALL);
        assertEquals(whole.pairs(), merged.pairs());
        assertEquals(whole.cliques().size(), merged.cliques().size());
        assertEquals(whole.cliques().links().size(), merged.cliques().links().size());
        assertEquals(NearJoinTests.chains(whole.cliques()), NearJoinTests.chains(merged.cliques()));
    }

    /** A set whose members are in several chunks is met by each pair of these. */
    @Test
    void testPairsOfEqualDigestsCountOnce() {
        SplittableRandom random = new SplittableRandom(2);
        long[] digests = new long[values.length];
        Arrays.setAll(digests, i -> 1 + random.nextInt(values.length / 20));
        MergedJoins merged = new MergedJoins(Wanted.ALL, account);
        Chunks.pairs(CHUNKS).forEach(pair -> merged.add(join(pair, Wanted.ALL, digests)));
        assertEquals(
                join(Chunks.WHOLE, Wanted.ALL, digests).pairs(), merged.build().pairs());
    }

    /** Of two schemes: the same text has one digest in both, and another fingerprint in each. */
    @Test
    void testPairsOfEqualFingerprintsAmongEqualDigestsCountOnce() {
        SplittableRandom random = new SplittableRandom(3);
        int texts = 100;
        long[][] bits = new long[2][texts];
        Arrays.setAll(bits[0], i -> random.nextLong());
        Arrays.setAll(bits[1], i -> random.nextLong());
        int[] text = new int[values.length];
        int[] scheme = new int[values.length];
        int[] copies = new int[texts];
        for (int i = 0; i < values.length; i++) {
            text[i] = random.nextInt(texts);
            scheme[i] = random.nextInt(2);
            values[i] = bits[scheme[i]][text[i]];
            copies[text[i]]++;
        }
        long[] digests = Arrays.stream(text).asLongStream().map(t -> t + 1).toArray();
        long expected =
                Arrays.stream(copies).mapToLong(n -> (long) n * (n - 1) / 2).sum();
        assertEquals(expected, join(Chunks.WHOLE, Wanted.ALL, digests, scheme).pairs());
        MergedJoins merged = new MergedJoins(Wanted.ALL, account);
        Chunks.pairs(CHUNKS).forEach(pair -> merged.add(join(pair, Wanted.ALL, digests, scheme)));
        assertEquals(expected, merged.build().pairs());
    }

    @Test
    void testAllTogetherKeepNoMoreLinksThanOneMay() {
        NearJoin.Joined whole = join(Chunks.WHOLE, Wanted.ALL);
        long links = whole.cliques().links().size();
        assertFalse(merged(Wanted.ALL.atMost(links)).tooMany());
        NearJoin.Joined merged = merged(Wanted.ALL.atMost(links - 1));
        assertTrue(merged.tooMany());
        assertEquals(0, merged.cliques().links().size());
        assertEquals(whole.pairs(), merged.pairs());
        assertArrayEquals(whole.cliques().documents(), merged.cliques().documents());
    }

    @Test
    void testTheNextIsAskedForWhatThereIsRoomFor() {
        MergedJoins merged = new MergedJoins(Wanted.ALL.atMost(1_000_000), account);
        NearJoin.Joined first = join(Chunks.pairs(CHUNKS).getFirst(), Wanted.ALL);
        merged.add(first);
        assertEquals(1_000_000 - first.cliques().links().size(), merged.room());
        merged.add(new NearJoin.Joined(first.cliques(), 1, true));
        assertEquals(0, merged.room());
    }

    @Test
    void testForestsTogetherAreAForest() {
        NearJoin.Joined merged = merged(Wanted.FOREST);
        assertTrue(merged.cliques().links().size() < merged.cliques().size(), "no link connects what is connected");
        assertEquals(
                NearJoinTests.chains(join(Chunks.WHOLE, Wanted.ALL).cliques()), NearJoinTests.chains(merged.cliques()));
    }

    @Test
    void testPaysForWhatComesAndForWhatIsKept() {
        MergedJoins merged = new MergedJoins(Wanted.ALL, account);
        for (Chunks pair : Chunks.pairs(CHUNKS)) {
            NearJoin.Joined found = join(pair, Wanted.ALL);
            long before = memory.get();
            merged.add(found);
            assertTrue(most.get() >= before + found.cliques().bytes(), "as long as it is looked at");
        }
        Cliques cliques = merged.build().cliques();
        assertTrue(memory.get() >= cliques.bytes(), memory + " for " + cliques.bytes());
        account.close();
        assertEquals(0, memory.get());
    }

    /** Of two schemes, that is: the same fingerprint stands for two sets of documents, with the same first one. */
    @Test
    void testADocumentMayHaveOneFingerprintInTwoSchemes() {
        FingerprintRows rows = new FingerprintRows(8, Prints.FINGERPRINTS, null, bytes -> {});
        rows.stratum(0, 0, 0);
        rows.stratum(1, 0, 1);
        rows.add(1, 7, 0, 0);
        rows.add(1, 7, 0, 1);
        rows.add(2, 7, 0, 0);
        rows.add(3, 7, 0, 1);
        NearJoin.Joined found = new NearJoin(DISTANCE, Runnable::run, 1, Long.MAX_VALUE, pairs -> {})
                .join(rows, Chunks.WHOLE, Wanted.ALL);
        MergedJoins merged = new MergedJoins(Wanted.ALL, new Account(bytes -> {}));
        merged.add(found);
        assertArrayEquals(new long[] {1, 2, 3}, merged.build().cliques().documents());
    }

    private NearJoin.Joined merged(Wanted wanted) {
        MergedJoins merged = new MergedJoins(wanted, account);
        Chunks.pairs(CHUNKS).forEach(pair -> merged.add(join(pair, wanted)));
        return merged.build();
    }

    private NearJoin.Joined join(Chunks chunks, Wanted wanted) {
        return join(chunks, wanted, new long[values.length]);
    }

    private NearJoin.Joined join(Chunks chunks, Wanted wanted, long[] digests) {
        return join(chunks, wanted, digests, new int[values.length]);
    }

    /** @param digests of the documents; 0 for none */
    private NearJoin.Joined join(Chunks chunks, Wanted wanted, long[] digests, int[] schemes) {
        FingerprintRows rows = new FingerprintRows(values.length, Prints.FINGERPRINTS, null, bytes -> {});
        rows.stratum(0, 7, 0);
        rows.stratum(1, 7, 1);
        for (int i = 0; i < values.length; i++) {
            if (chunks.contains(values[i])) {
                rows.add(i, values[i], digests[i], schemes[i]);
            }
        }
        return new NearJoin(DISTANCE, Runnable::run, 1, Long.MAX_VALUE, pairs -> {}).join(rows, chunks, wanted);
    }
}
