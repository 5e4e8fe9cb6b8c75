/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.counts.Counters.LastSeen;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.simhash.search.warnings.RequestWarnings;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Runs jobs on their threads, and counts jobs and writes. Thread-safe. */
public final class JobRunner {

    public static final List<Phase> PHASES = List.of(Phase.SCAN, Phase.JOIN, Phase.READ, Phase.GROUP, Phase.WRITE);

    /** Jobs that run or wait: each keeps its request on the heap. */
    static final int MOST = 1_000;

    private final Counters<JobCount> counts = new Counters<>(JobCount.class);
    private final Map<Phase, Durations> times = new EnumMap<>(Phase.class);

    private final Set<JobTask> underWay = ConcurrentHashMap.newKeySet();

    private final LastSeen<Long> lastRuns = new LastSeen<>();

    private final Spans spans;

    /** @param spans of jobs and their phases */
    public JobRunner(Spans spans) {
        this.spans = spans;
        PHASES.forEach(phase -> times.put(phase, Durations.ofJobs()));
    }

    public Counters<JobCount> counts() {
        return counts;
    }

    /** When the last job with this {@code dest} completed, in milliseconds since 1970, by {@code dest}. */
    public LastSeen<Long> lastRuns() {
        return lastRuns;
    }

    /** The time that each job spent in a phase, completed or not. */
    public Durations times(Phase phase) {
        return times.get(phase);
    }

    public Collection<JobTask> underWay() {
        return List.copyOf(underWay);
    }

    /** Queues a job and answers. A job that is cancelled in the queue ends at once. */
    public <T> void start(
            JobTask task,
            JobOutcome outcome,
            Executor threads,
            CheckedSupplier<T, Exception> job,
            ActionListener<T> listener) {
        if (underWay.size() >= MOST) {
            throw new OpenSearchRejectedExecutionException(
                    "a node has at most " + MOST + " jobs that run or wait, got: one more");
        }
        underWay.add(task);
        task.waits(() -> {
            underWay.remove(task);
            counts.increment(JobCount.STARTED);
            counts.increment(JobCount.CANCELLED);
            listener.onFailure(cancelled(task, outcome));
        });
        try {
            threads.execute(() -> {
                if (task.begins(spans)) {
                    ActionRunnable.supply(listener, () -> run(task, outcome, job))
                            .run();
                }
            });
        } catch (RuntimeException e) {
            underWay.remove(task);
            throw e;
        }
    }

    /** Runs a job. Any failure of a cancelled job becomes a cancellation that says what was written. */
    private <T> T run(JobTask task, JobOutcome outcome, CheckedSupplier<T, Exception> job) throws Exception {
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
            task.failed(e);
            throw e;
        } finally {
            underWay.remove(task);
            task.ends();
            task.spent().forEach((phase, nanos) -> {
                if (times.containsKey(phase)) {
                    times.get(phase).record(nanos);
                }
            });
            counts.increment(end);
            outcome.counts().forEach(counts::add);
        }
    }

    private static TaskCancelledException cancelled(JobTask task, JobOutcome outcome) {
        String message = "task cancelled [" + task.getReasonCancelled() + "]";
        String done = outcome.describe();
        String run = task.run() == null ? "" : " by run [" + task.run() + "]";
        return new TaskCancelledException(done.isEmpty() ? message : message + ", until then " + done + run);
    }

    /**
     * Queues a job for a thread of its own, which may block. Whoever asked for the job is refused at once or gets its result, with the
     * warnings of its outcome in the headers.
     */
    public abstract static class JobAction<R extends JobRequest<?>, A extends ActionResponse>
            extends LocalAction<R, A> {

        protected final JobServices services;
        protected final JobRunner jobs;
        private final String pool;

        /** @param pool of threads */
        protected JobAction(String name, JobServices services, ActionFilters filters, JobRunner jobs, String pool) {
            super(name, services.transport(), filters);
            this.services = services;
            this.jobs = jobs;
            this.pool = pool;
        }

        @Override
        protected final void doExecute(Task task, R request, ActionListener<A> listener) {
            JobTask job = (JobTask) task;
            JobOutcome outcome = new JobOutcome();
            Client client = new ParentTaskAssigningClient(services.client(), services.id(job));
            CheckedSupplier<A, Exception> work = prepare(request, job, client, outcome);
            RequestWarnings headers = RequestWarnings.of(services.context());
            ActionListener<A> warning = ActionListener.runBefore(listener, () -> outcome.tell(headers, actionName));
            jobs.start(job, outcome, services.transport().getThreadPool().executor(pool), work, warning);
        }

        /** Refuses what is wrong with the request without blocking, and returns the work. */
        protected abstract CheckedSupplier<A, Exception> prepare(
                R request, JobTask task, Client client, JobOutcome outcome);
    }
}
