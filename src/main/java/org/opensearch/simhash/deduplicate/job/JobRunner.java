/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.counts.Durations;

/** Runs jobs when there are threads for them; counts them, and what came of their writes. Thread-safe. */
public final class JobRunner {

    /** In which jobs work. */
    public static final List<Phase> PHASES = List.of(Phase.SCAN, Phase.JOIN, Phase.READ, Phase.GROUP, Phase.WRITE);

    private final Counters<JobCount> counts = new Counters<>(JobCount.class);
    /** Never changed after construction. */
    private final Map<Phase, Durations> times = new EnumMap<>(Phase.class);

    private final Set<JobTask> underWay = ConcurrentHashMap.newKeySet();

    public JobRunner() {
        PHASES.forEach(phase -> times.put(phase, Durations.ofJobs()));
    }

    public Counters<JobCount> counts() {
        return counts;
    }

    /** How long a job was in a phase altogether, for each job that was; whether it was completed or not. */
    public Durations times(Phase phase) {
        return times.get(phase);
    }

    /** Those that run or wait for a thread. */
    public Collection<JobTask> underWay() {
        return List.copyOf(underWay);
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
        underWay.add(task);
        task.waits(() -> {
            underWay.remove(task);
            counts.increment(JobCount.STARTED);
            counts.increment(JobCount.CANCELLED);
            listener.onFailure(cancelled(task, outcome));
        });
        try {
            threads.execute(() -> {
                if (task.begins()) {
                    ActionRunnable.supply(listener, () -> run(task, outcome, job))
                            .run();
                }
            });
        } catch (RuntimeException e) {
            underWay.remove(task);
            throw e;
        }
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
            underWay.remove(task);
            task.spent().forEach((phase, nanos) -> {
                if (times.containsKey(phase)) {
                    times.get(phase).record(nanos);
                }
            });
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
