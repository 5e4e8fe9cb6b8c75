/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.opensearch.common.SuppressForbidden;
import org.opensearch.test.OpenSearchTestCase;

/** What is near any of the targets by brute force, and nothing else. */
public class VicinityTests extends OpenSearchTestCase {

    /** The cheapest plan had more combinations than are allowed, and each fingerprint was compared with all targets. */
    public void testManyTargetsLieInTables() {
        for (int size : new int[] {10_000, 50_000}) {
            Vicinity vicinity = new Vicinity(random().longs(size).toArray(), 10, bytes -> {});
            assertTrue(size + ": " + vicinity.tables(), vicinity.tables() > 0 && vicinity.tables() <= 64);
        }
    }

    /** To compare them takes less time than to look into tables. */
    public void testFewTargetsLieInNoTable() {
        for (int size : new int[] {100, 1_000}) {
            assertEquals(0, new Vicinity(random().longs(size).toArray(), 10, bytes -> {}).tables());
        }
    }

    /** Megabytes for as many new documents as there may be. */
    public void testIsPaidForBeforeItIsMade() {
        long[] targets = random().longs(50_000).toArray();
        AtomicLong paid = new AtomicLong();
        LongConsumer refusing = bytes -> {
            paid.addAndGet(bytes);
            throw new IllegalStateException("no room");
        };
        // The first call loads classes.
        new Vicinity(targets, 10, bytes -> {});
        long before = allocated();
        expectThrows(IllegalStateException.class, () -> new Vicinity(targets, 10, refusing));
        long taken = allocated() - before;
        assertTrue(taken + " of " + paid + " bytes", taken < paid.get() / 4);
        before = allocated();
        new Vicinity(targets, 10, bytes -> {});
        taken = allocated() - before;
        assertTrue(paid + " for " + taken + " bytes", taken > paid.get());
    }

    @SuppressForbidden(reason = "no portable class counts the bytes of a thread")
    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    public void testAgainstBruteForce() {
        for (int distance = 0; distance <= 16; distance++) {
            for (int size : new int[] {0, 1, 31, 32, 500, 5_000}) {
                long mask = randomBoolean() ? -1L : 0x7777_7777_7777_7777L;
                long[] targets = random().longs(size).map(value -> value & mask).toArray();
                Vicinity vicinity = new Vicinity(targets.clone(), distance, bytes -> {});
                for (int i = 0; i < 200; i++) {
                    long value = randomLong() & mask;
                    if (size > 0 && randomBoolean()) {
                        value = targets[randomInt(size - 1)];
                        for (int flips = randomInt(2 * distance + 1); flips > 0; flips--) {
                            value ^= 1L << randomInt(Long.SIZE - 1);
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
