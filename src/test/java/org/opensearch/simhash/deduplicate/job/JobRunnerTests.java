/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.opensearch.core.action.ActionListener;

class JobRunnerTests {

    private final JobRunner jobs = new JobRunner();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final List<String> answers = new ArrayList<>();
    private final ActionListener<String> listener = ActionListener.wrap(answers::add, e -> answers.add(e.getMessage()));

    /** Those before it may take hours. */
    @Test
    void testAJobThatIsCancelledBeforeItsTurnEndsAtOnce() {
        JobTask task = TestTask.create();
        jobs.start(task, new Outcome(), waiting::add, () -> "done", listener);
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
        jobs.start(task, new Outcome(), waiting::add, () -> "done", listener);
        assertEquals(List.of("task cancelled [by test]"), answers);
    }

    @Test
    void testAJobAtWorkEndsByItself() {
        JobTask task = TestTask.create();
        jobs.start(
                task,
                new Outcome(),
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

    @Test
    void testAnswers() {
        jobs.start(TestTask.create(), new Outcome(), waiting::add, () -> "done", listener);
        waiting.remove().run();
        assertEquals(List.of("done"), answers);
        assertEquals(1, count(JobCount.COMPLETED));
    }

    private long count(JobCount what) {
        return jobs.counts().get(what);
    }
}
