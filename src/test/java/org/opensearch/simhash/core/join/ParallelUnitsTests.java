/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParallelUnitsTests {

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger ran = new AtomicInteger();

    @AfterEach
    void shutDown() {
        release.countDown();
        executor.shutdown();
    }

    @Test
    void testEndsWhileItWaitsForTheThreadsOfOthers() throws InterruptedException {
        executor.execute(this::waitForRelease);
        ParallelUnits units = new ParallelUnits(10);
        units.addRunner(unit -> ran.incrementAndGet());
        units.addRunner(unit -> ran.incrementAndGet());
        assertCancelled(units, () -> {
            throw new IllegalStateException("cancelled");
        });
        release.countDown();
        executor.shutdown();
        assertTrue(executor.awaitTermination(1, TimeUnit.MINUTES));
        assertEquals(0, ran.get(), "nothing is begun any more");
    }

    /** Returns what tells that it has begun. */
    private CountDownLatch addWaitingRunner(ParallelUnits units) {
        CountDownLatch begun = new CountDownLatch(1);
        units.addRunner(unit -> {
            begun.countDown();
            waitForRelease();
            ran.incrementAndGet();
        });
        return begun;
    }

    @Test
    void testWaitsForWhatRuns() {
        ParallelUnits units = new ParallelUnits(10);
        CountDownLatch begun = addWaitingRunner(units);
        units.addRunner(unit -> ran.incrementAndGet());
        AtomicInteger checks = new AtomicInteger();
        assertCancelled(units, () -> {
            if (begun.getCount() == 0 && checks.getAndIncrement() == 0) {
                throw new IllegalStateException("cancelled");
            }
            if (checks.get() > 0) {
                release.countDown();
            }
        });
        assertEquals(1, ran.get(), "one unit runs to its end, and no other is begun");
    }

    /** The caller frees what they work on. */
    @Test
    void testWaitsForWhatRunsWhenItIsInterrupted() {
        ParallelUnits units = new ParallelUnits(10);
        CountDownLatch begun = addWaitingRunner(units);
        AtomicInteger checks = new AtomicInteger();
        Exception interrupted = assertThrows(
                IllegalStateException.class,
                () -> units.await(executor, () -> {
                    if (checks.get() > 0) {
                        release.countDown();
                    } else if (begun.getCount() == 0) {
                        checks.incrementAndGet();
                        Thread.currentThread().interrupt();
                    }
                }));
        assertTrue(Thread.interrupted(), "the thread stays interrupted");
        assertInstanceOf(InterruptedException.class, interrupted.getCause());
        assertEquals(1, ran.get(), "one unit runs to its end, and no other is begun");
    }

    private void assertCancelled(ParallelUnits units, Runnable check) {
        Exception cancelled = assertThrows(IllegalStateException.class, () -> units.await(executor, check));
        assertEquals("cancelled", cancelled.getMessage());
    }

    private void waitForRelease() {
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
