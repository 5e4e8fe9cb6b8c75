/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.join.RadiusPlan.Block;
import org.opensearch.simhash.core.join.RadiusPlan.RadiusJoin;

/** A join by blocks with radii finds each link once, whatever the plan and the number of bins. */
class RadiusJoinTests {

    private static final int COUNT = 400;
    private static final int MOST_BITS = 7;
    private static final int OFFSET = 3;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());

    @Test
    void testFindsEachLinkOnceByAnyPlan() {
        for (int distance : new int[] {1, 2, 3, 5, 8, 12, 16}) {
            RadiusPlan plan = plan(distance);
            for (long[] values : List.of(
                    JoinCases.uniform(COUNT, distance + 1, random),
                    JoinCases.skewed(COUNT, random),
                    JoinCases.chained(COUNT, random))) {
                long[] distinct = Cliques.distinct(values);
                for (int binBits : new int[] {0, 1, 3}) {
                    assertEquals(
                            links(distinct, distance),
                            join(distinct, distance, plan, binBits).links,
                            () -> plan + " and " + binBits);
                }
            }
        }
    }

    @Test
    void testFindsEachLinkOnceByTheCheapestPlan() {
        for (int distance : new int[] {1, 2, 3, 4, 7, 11, 16, 32}) {
            for (long[] values : List.of(
                    JoinCases.uniform(COUNT, distance + 1, random),
                    JoinCases.skewed(COUNT, random),
                    JoinCases.chained(COUNT, random))) {
                long[] distinct = Cliques.distinct(values);
                RadiusPlan plan =
                        JoinCost.cheapest(distinct, distinct.length, distance).plan();
                assertEquals(
                        distance + 1,
                        plan.blocks().stream()
                                .mapToInt(block -> block.radius() + 1)
                                .sum());
                assertEquals(links(distinct, distance), join(distinct, distance, plan, 1).links, plan::toString);
            }
        }
    }

    /** Pairs that no radius allows are not compared. */
    @Test
    void testComparesNeighboursOnly() {
        long[] values = Cliques.distinct(JoinCases.uniform(COUNT, 0, random));
        RadiusPlan plan = new RadiusPlan(List.of(new Block(0xF, 0xF0, 1), new Block(0xFF00, 0, 0)), 2);
        long near = 0;
        for (int a = 0; a < values.length; a++) {
            for (int b = 0; b < a; b++) {
                for (Block block : plan.blocks()) {
                    near += block.isNear(values[a] ^ values[b]) ? 1 : 0;
                }
            }
        }
        assertEquals(near, join(values, 2, plan, 2).compared);
    }

    /** A bit that all fingerprints share tells nothing apart, so no block uses it. */
    @Test
    void testUsesNoBitThatAllShare() {
        long shared = 0xF0F0_F0F0_F0F0_F0F0L;
        long[] values = random.longs(COUNT).map(value -> value | shared).toArray();
        for (Block block : JoinCost.cheapest(values, 1_000_000, 3).plan().blocks()) {
            assertEquals(0, block.mask() & shared, block::toString);
        }
    }

    @Test
    void testComparesFarLessThanAllPairsAtElevenBits() {
        long[] sample = random.longs(4_096).toArray();
        JoinCost.Priced plan = JoinCost.cheapest(sample, 1_000_000, 11);
        assertTrue(plan.nanos() < JoinCost.EACH * 1e12 / 2 / 10, plan::toString);
    }

    @Test
    void testBlocksShareNoBits() {
        var blocks = List.of(new Block(0xFF, 0, 1), new Block(0, 0x80, 0));
        assertThrows(IllegalArgumentException.class, () -> new RadiusPlan(blocks, 2));
        assertThrows(IllegalArgumentException.class, () -> new Block(-1L, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new Block(1, 1, 1));
    }

    /** Smaller radii would lose links. */
    @Test
    void testRadiiSuitTheDistance() {
        var blocks = List.of(new Block(0xFF, 0, 1), new Block(0xFF00, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new RadiusPlan(blocks, 3));
        assertEquals(2, new RadiusPlan(blocks, 2).deals());
    }

    /** Any number of blocks, of any bits, with any radii that add up. */
    private RadiusPlan plan(int distance) {
        int count = random.nextInt(2, Math.min(distance + 1, 5) + 1);
        int[] radii = new int[count];
        for (int left = distance + 1 - count; left > 0; left--) {
            radii[random.nextInt(count)]++;
        }
        long[] masks = new long[count];
        for (int bit = 0; bit < Long.SIZE; bit++) {
            int block = random.nextInt(count);
            if (Long.bitCount(masks[block]) < MOST_BITS) {
                masks[block] |= 1L << bit;
            }
        }
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long first = masks[i] & random.nextLong();
            blocks.add(new Block(first, masks[i] & ~first, radii[i]));
        }
        return new RadiusPlan(blocks, distance);
    }

    private static Set<Long> links(long[] values, int distance) {
        Set<Long> links = new HashSet<>();
        for (int a = 0; a < values.length; a++) {
            for (int b = 0; b < a; b++) {
                if (Long.bitCount(values[a] ^ values[b]) <= distance) {
                    links.add(link(a, b));
                }
            }
        }
        return links;
    }

    private static long link(int a, int b) {
        return (long) Math.min(a, b) << Integer.SIZE | Math.max(a, b);
    }

    private static Found join(long[] values, int distance, RadiusPlan plan, int binBits) {
        Found found = new Found(values);
        Bins.Room room = new Bins.Room(bytes -> {});
        RadiusJoin join = new RadiusJoin(distance, found, bytes -> {});
        for (int block = 0; block < plan.blocks().size(); block++) {
            int deal = block;
            int bits = Math.min(binBits, plan.binBits(block));
            IntFunction<Bins.Bin> source = bin -> {
                room.require(OFFSET + values.length);
                int count = 0;
                for (int i = 0; i < values.length; i++) {
                    if (plan.bin(deal, values[i], bits) == bin) {
                        room.values[OFFSET + count] = values[i];
                        room.numbers[OFFSET + count++] = i;
                    }
                }
                return new Bins.Bin(room.values, room.numbers, OFFSET, count);
            };
            for (int bin = 0; bin < 1 << bits; bin++) {
                join.join(plan, block, bits, bin, source);
            }
        }
        return found;
    }

    private static final class Found implements RadiusJoin.Sink {

        private final long[] values;
        private final Set<Long> links = new HashSet<>();
        private long compared;

        Found(long[] values) {
            this.values = values;
        }

        @Override
        public void pair(int a, int b, int bits) {
            assertEquals(Long.bitCount(values[a] ^ values[b]), bits);
            assertTrue(links.add(link(a, b)), "twice: " + a + ", " + b);
        }

        @Override
        public void compared(long more) {
            compared += more;
        }
    }
}
