/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.concurrent.Executor;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.simhash.counts.Counters;

/** Runs jobs when there are threads for them; counts them, and what came of their writes. Thread-safe. */
public final class JobRunner {

    private final Counters<JobCount> counts = new Counters<>(JobCount.class);

    public Counters<JobCount> counts() {
        return counts;
    }

    /**
     * Runs a job when there is a thread for it, and answers; one that is cancelled before that ends at once.
     *
     * @param threads those of such jobs
     */
    public <T> void start(
            JobTask task,
            Outcome outcome,
            Executor threads,
            CheckedSupplier<T, Exception> job,
            ActionListener<T> listener) {
        task.waits(() -> {
            counts.increment(JobCount.STARTED);
            counts.increment(JobCount.CANCELLED);
            listener.onFailure(cancelled(task, outcome));
        });
        threads.execute(() -> {
            if (task.begins()) {
                ActionRunnable.supply(listener, () -> run(task, outcome, job)).run();
            }
        });
    }

    /** Runs a job. Whatever a cancelled one stumbled over, it was cancelled, and says what it had written until then. */
    private <T> T run(JobTask task, Outcome outcome, CheckedSupplier<T, Exception> job) throws Exception {
        JobCount end = JobCount.FAILED;
        counts.increment(JobCount.STARTED);
        try {
            T result = job.get();
            end = JobCount.COMPLETED;
            return result;
        } catch (Exception e) {
            if (task.isCancelled()) {
                end = JobCount.CANCELLED;
                throw cancelled(task, outcome);
            }
            throw e;
        } finally {
            counts.increment(end);
            outcome.counts().forEach(counts::add);
        }
    }

    private static TaskCancelledException cancelled(JobTask task, Outcome outcome) {
        String message = "task cancelled [" + task.getReasonCancelled() + "]";
        String done = outcome.describe();
        String run = task.run() == null ? "" : " by run [" + task.run() + "]";
        return new TaskCancelledException(done.isEmpty() ? message : message + ", until then " + done + run);
    }
}
