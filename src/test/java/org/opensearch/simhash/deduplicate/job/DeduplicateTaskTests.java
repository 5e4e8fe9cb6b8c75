/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.deduplicate.options.WritePace;

class DeduplicateTaskTests {

    /** The first request is sent at once: ten documents at two a second took "a moment" for each ten that were left. */
    @Test
    void testTheEstimateCountsTheThrottling() {
        DeduplicateTask task = TestTask.create();
        task.enter(Phase.WRITE, 100);
        task.rethrottle(2);
        assertEquals(-1, remaining(task));
        task.step(10);
        assertTrue(remaining(task) >= 45_000, "90 documents: " + remaining(task));
        task.rethrottle(-1);
        assertTrue(remaining(task) < 45_000, "as fast as it can: " + remaining(task));
        task.rethrottle(2);
        task.step(90);
        assertEquals(0, remaining(task));
        task.enter(Phase.READ, 100);
        task.step(10);
        assertTrue(remaining(task) < 45_000, "what is read is not throttled: " + remaining(task));
    }

    /** It was nothing as soon as the first page had been read, since passes were counted, too. */
    @Test
    void testTheEstimateOfAScanCountsDocuments() {
        DeduplicateTask task = TestTask.create();
        task.enter(Phase.SCAN, 1_000_000);
        task.read(10);
        task.remote(10, 0, false);
        while (remaining(task) == 0) {
            Thread.onSpinWait(); // a millisecond has to pass
        }
        assertTrue(remaining(task) > 0);
        task.remoteEnded(10, 0);
        task.read(999_980);
        assertEquals(0, remaining(task));
        task.enter(Phase.JOIN, DeduplicateTask.UNKNOWN);
        task.read(10);
        assertEquals(-1, remaining(task), "nobody knows");
    }

    private static long remaining(DeduplicateTask task) {
        return task.getStatus().remaining();
    }

    /** It overflowed: a job that was to write next to nothing wrote as fast as it could. */
    @Test
    void testTheSlowestPaceIsNoHaste() {
        long wait = WritePace.of(1e-30f, 1_000).nanos(1_000);
        assertTrue(wait > TimeUnit.DAYS.toNanos(365));
        long now = System.nanoTime();
        assertTrue(Math.addExact(now, wait) > now, "can be told");
        assertEquals(500_000_000, WritePace.of(2, 1_000).nanos(1));
        assertEquals(0, WritePace.of(-1, 1_000).nanos(1_000));
    }
}
