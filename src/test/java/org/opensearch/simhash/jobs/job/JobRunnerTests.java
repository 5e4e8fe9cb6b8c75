/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.simhash.TestTime;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.search.counts.Durations.Spans;

class JobRunnerTests {

    private final JobRunner jobs = new JobRunner(new Spans());
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final List<String> answers = new ArrayList<>();
    private final ActionListener<String> listener = ActionListener.wrap(answers::add, e -> answers.add(e.getMessage()));

    /** Those before it may take hours. */
    @Test
    void testAJobThatIsCancelledBeforeItsTurnEndsAtOnce() {
        JobTask task = TestTask.create();
        jobs.start(task, new JobOutcome(), waiting::add, () -> "done", listener);
        task.cancel("by test");
        assertEquals(List.of("task cancelled [by test]"), answers);
        waiting.remove().run();
        assertEquals(1, answers.size(), "one answer");
        assertEquals(1, count(JobCount.STARTED));
        assertEquals(1, count(JobCount.CANCELLED));
        assertEquals(0, count(JobCount.COMPLETED));
    }

    @Test
    void testAJobThatWasCancelledBeforeItWaitsEndsAtOnce() {
        JobTask task = TestTask.create();
        task.cancel("by test");
        jobs.start(task, new JobOutcome(), waiting::add, () -> "done", listener);
        assertEquals(List.of("task cancelled [by test]"), answers);
    }

    @Test
    void testAJobAtWorkEndsByItself() {
        JobTask task = TestTask.create();
        jobs.start(
                task,
                new JobOutcome(),
                waiting::add,
                () -> {
                    task.cancel("by test");
                    assertFalse(answers.contains("task cancelled [by test]"), "not before it has stopped");
                    task.ensureNotCancelled();
                    return "done";
                },
                listener);
        waiting.remove().run();
        assertEquals(List.of("task cancelled [by test]"), answers);
        assertEquals(1, count(JobCount.CANCELLED));
    }

    /** A queue without an end would keep the bodies of all requests on the heap. */
    @Test
    void testMoreJobsThanANodeKeepsAreRefused() {
        for (int i = 0; i < JobRunner.MOST; i++) {
            jobs.start(TestTask.create(), new JobOutcome(), waiting::add, () -> "done", listener);
        }
        Exception refused = assertThrows(
                OpenSearchRejectedExecutionException.class,
                () -> jobs.start(TestTask.create(), new JobOutcome(), waiting::add, () -> "done", listener));
        assertEquals("a node has at most 1000 jobs that run or wait, got: one more", refused.getMessage());
        waiting.remove().run();
        jobs.start(TestTask.create(), new JobOutcome(), waiting::add, () -> "done", listener);
        assertEquals(JobRunner.MOST, jobs.underWay().size());
    }

    @Test
    void testAnswers() {
        jobs.start(TestTask.create(), new JobOutcome(), waiting::add, () -> "done", listener);
        waiting.remove().run();
        assertEquals(List.of("done"), answers);
        assertEquals(1, count(JobCount.COMPLETED));
    }

    @Test
    void testTimesOfPhasesAreThoseOfTheWork() {
        JobTask task = TestTask.create();
        jobs.start(
                task,
                new JobOutcome(),
                waiting::add,
                () -> {
                    task.enter(Phase.SCAN, 2);
                    task.step(2);
                    task.enter(Phase.WRITE, 1);
                    task.enter(Phase.SCAN, 2);
                    throw new IllegalStateException("fails");
                },
                listener);
        assertEquals(List.of(task), List.copyOf(jobs.underWay()), "it waits");
        waiting.remove().run();
        assertEquals(List.of(), List.copyOf(jobs.underWay()));
        assertEquals(List.of("fails"), answers);
        for (Phase phase : JobRunner.PHASES) {
            long once = phase == Phase.SCAN || phase == Phase.WRITE ? 1 : 0;
            assertEquals(
                    once,
                    jobs.times(phase).histogram().counts().stream()
                            .mapToLong(Long::longValue)
                            .sum(),
                    phase.toString());
        }
    }

    @Test
    void testAJobIsIdleWhileNothingHappens() {
        JobTask task = TestTask.create();
        TestTime.pass(2);
        assertEquals(0, task.idleNanos(), "it waits for a thread");
        task.waits(() -> {});
        assertTrue(task.begins(new Spans()));
        TestTime.pass(5);
        assertTrue(task.idleNanos() >= 5_000_000, "it has one, and does nothing yet");
        task.enter(Phase.GROUP, JobTask.UNKNOWN);
        assertIdleSince(() -> task.written(1), task);
        assertIdleSince(() -> task.remote(1, 0, false), task);
        TestTime.pass(5);
        task.remote(1, 0, false);
        assertTrue(task.idleNanos() >= 5_000_000, "nothing new from other nodes");
    }

    private static void assertIdleSince(Runnable work, JobTask task) {
        TestTime.pass(5);
        assertTrue(task.idleNanos() >= 5_000_000);
        long before = System.nanoTime();
        work.run();
        assertTrue(task.idleNanos() <= System.nanoTime() - before);
    }

    private long count(JobCount what) {
        return jobs.counts().get(what);
    }
}
