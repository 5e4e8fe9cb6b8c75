/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.scan.Retries;

class JobTaskTests {

    private final long start = System.nanoTime();

    /** The first request is sent at once: ten documents at two a second took "a moment" for each ten that were left. */
    @Test
    void testTheEstimateCountsTheThrottling() {
        JobTask task = TestTask.create();
        task.enter(Phase.WRITE, 100);
        assertEquals(-1, remaining(task), "nothing is known");
        task.rethrottle(2);
        task.sends(10);
        assertBetween(44_000, 45_000, remaining(task), "80 before the last ten, and the wait for these");
        task.step(10);
        assertBetween(44_000, 46_000, remaining(task), "the same, and the last ten");
        task.rethrottle(-1);
        assertBetween(0, 43_999, remaining(task), "as fast as it can");
        task.rethrottle(2);
        task.sends(90);
        task.step(90);
        assertEquals(0, remaining(task));
        assertEquals(100, task.getStatus().total());
        assertEquals(100, task.getStatus().done());
        task.enter(Phase.READ, 100);
        task.step(10);
        assertBetween(0, 44_999, remaining(task), "what is read is not throttled");
    }

    /** It was nothing as soon as the first page had been read, since passes were counted, too. */
    @Test
    void testTheEstimateOfAScanCountsDocuments() {
        JobTask task = TestTask.create();
        task.enter(Phase.SCAN, 1_000_000);
        task.read(10);
        task.remote(10, 0, false);
        assertTrue(isEstimated(task));
        task.remoteEnded(10, 0);
        task.read(999_980);
        assertEquals(0, remaining(task));
        task.enter(Phase.JOIN, JobTask.UNKNOWN);
        task.read(10);
        assertEquals(-1, remaining(task), "nobody knows");
    }

    /** After the first of several passes all looked as if they joined, until the end. */
    @Test
    void testPassesScanAndJoinInTurns() {
        JobTask task = TestTask.create();
        task.pass(Phase.SCAN);
        assertEquals("waiting", task.getStatus().phase());
        task.enter(Phase.SCAN, 2_000);
        task.read(1_000);
        task.pass(Phase.JOIN);
        assertEquals("join", task.getStatus().phase());
        assertTrue(isEstimated(task), "another pass follows");
        task.pass(Phase.SCAN);
        assertEquals("scan", task.getStatus().phase());
        task.read(1_000);
        task.pass(Phase.JOIN);
        assertEquals(-1, remaining(task), "nobody knows how long the last one joins");
        task.enter(Phase.GROUP, 10);
        task.pass(Phase.SCAN);
        assertEquals("group", task.getStatus().phase(), "a late pass changes nothing");
    }

    /** As soon as a millisecond has passed, of which it is made. */
    private static boolean isEstimated(JobTask task) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (remaining(task) == 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return remaining(task) > 0;
    }

    /** A copy in the archive waits for its turn as the delete does. */
    @Test
    void testTheEstimateCountsCopies() {
        JobTask task = TestTask.create();
        task.rethrottle(10);
        task.enter(Phase.WRITE, 100, 200);
        task.sends(50);
        assertBetween(11_000, 15_000, remaining(task), "50 deletes, 50 copies, and the wait for these");
        task.sends(50);
        assertBetween(6_000, 10_000, remaining(task), "50 copies, and the wait for these");
        task.step(50);
        assertBetween(6_000, 11_000, remaining(task), "the same, and the last ones");
    }

    @Test
    void testTheWaitShows() throws Exception {
        JobTask task = TestTask.create();
        task.rethrottle(0.01f);
        task.enter(Phase.WRITE, 100);
        task.sends(10);
        assertEquals(0, task.getStatus().throttledUntil(), "it does not wait yet");
        Thread waiter = new Thread(() -> task.awaitTurn(new Retries(() -> {})));
        waiter.start();
        while (task.getStatus().throttled() < 100) {
            Thread.onSpinWait();
        }
        assertBetween(1, 999_900, task.getStatus().throttledUntil(), "of a thousand seconds");
        task.rethrottle(-1);
        waiter.join();
        assertEquals(0, task.getStatus().throttledUntil());
        assertBetween(100, 999_900, task.getStatus().throttled(), "until it was made faster");
    }

    /** As precisely as the machine lets: what the test took until now counts as work, of which ten times as much may be left. */
    private void assertBetween(long least, long most, long value, String what) {
        long late = late();
        assertTrue(value >= least - late && value <= most + late, what + ": " + value);
    }

    private long late() {
        return 10 * TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    private static long remaining(JobTask task) {
        return task.getStatus().remaining();
    }

    /** It overflowed: a job that was to write next to nothing wrote as fast as it could. */
    @Test
    void testTheSlowestPaceIsNoHaste() {
        long wait = WritePace.of(1e-30f).nanos(1_000);
        assertTrue(wait > TimeUnit.DAYS.toNanos(365));
        long now = System.nanoTime();
        assertTrue(Math.addExact(now, wait) > now, "can be told");
        assertEquals(500_000_000, WritePace.of(2).nanos(1));
        assertEquals(0, new WritePace(Float.POSITIVE_INFINITY, 1_000).nanos(1_000));
    }

    @Test
    void testARequestHasAtMostWhatThePaceAllowsInAnEighthOfASecond() {
        assertEquals(1_000, WritePace.of(-1).pageSize());
        assertEquals(50, WritePace.of(400).pageSize());
        assertEquals(1, WritePace.of(0.001f).pageSize());
        assertEquals(1_000, WritePace.of(0.001f).withRequestsPerSecond(-1).pageSize(), "of a job that is rethrottled");
    }
}
