/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.common.SuppressForbidden;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;

/** What is near any of the targets by brute force, and nothing else. */
class VicinityTests {

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final Random random = new Random(seed.value());

    /** The cheapest plan had more combinations than are allowed, and each fingerprint was compared with all targets. */
    @Test
    void testManyTargetsLieInTables() {
        for (int size : new int[] {10_000, 50_000}) {
            Vicinity vicinity = new Vicinity(random.longs(size).toArray(), 10, bytes -> {});
            assertTrue(vicinity.tables() > 0 && vicinity.tables() <= 64, size + ": " + vicinity.tables());
        }
    }

    /** To compare them takes less time than to look into tables. */
    @Test
    void testFewTargetsLieInNoTable() {
        for (int size : new int[] {100, 1_000}) {
            assertEquals(0, new Vicinity(random.longs(size).toArray(), 10, bytes -> {}).tables());
        }
    }

    /** Megabytes for as many new documents as there may be. */
    @Test
    void testIsPaidForBeforeItIsMade() {
        long[] targets = random.longs(50_000).toArray();
        AtomicLong paid = new AtomicLong();
        LongConsumer refusing = bytes -> {
            paid.addAndGet(bytes);
            throw new IllegalStateException("no room");
        };
        // The first call loads classes.
        new Vicinity(targets, 10, bytes -> {});
        long before = allocated();
        assertThrows(IllegalStateException.class, () -> new Vicinity(targets, 10, refusing));
        long taken = allocated() - before;
        assertTrue(taken < paid.get() / 4, taken + " of " + paid + " bytes");
        before = allocated();
        new Vicinity(targets, 10, bytes -> {});
        taken = allocated() - before;
        assertTrue(taken > paid.get(), paid + " for " + taken + " bytes");
    }

    @SuppressForbidden(reason = "no portable class counts the bytes of a thread")
    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Test
    void testAgainstBruteForce() {
        for (int distance = 0; distance <= 16; distance++) {
            for (int size : new int[] {0, 1, 31, 32, 500, 5_000}) {
                long mask = random.nextBoolean() ? -1L : 0x7777_7777_7777_7777L;
                long[] targets = random.longs(size).map(value -> value & mask).toArray();
                Vicinity vicinity = new Vicinity(targets.clone(), distance, bytes -> {});
                for (int i = 0; i < Rounds.of(60, 2_000); i++) {
                    long value = random.nextLong() & mask;
                    if (size > 0 && random.nextBoolean()) {
                        value = targets[random.nextInt(size)];
                        for (int flips = random.nextInt(2 * distance + 1 + 1); flips > 0; flips--) {
                            value ^= 1L << random.nextInt(Long.SIZE);
                        }
                    }
                    long asked = value;
                    int most = distance;
                    boolean expected = Arrays.stream(targets).anyMatch(target -> Long.bitCount(target ^ asked) <= most);
                    assertEquals(expected, vicinity.contains(asked));
                }
            }
        }
    }
}
