/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.jobs.job.JobStatus.Deletion;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.telemetry.tracing.Span;
import org.opensearch.telemetry.tracing.noop.NoopSpan;

/** A job, or a pass of one, in {@code _tasks}. Thread-safe. */
public final class JobTask extends CancellableTask {

    /** Steps of a phase whose duration is unknown. */
    public static final long UNKNOWN = 0;

    /** Runs on cancellation before the start; null after that. */
    private final AtomicReference<Runnable> waiting = new AtomicReference<>();

    private volatile WritePace pace;
    private volatile Phase phase = Phase.WAITING;
    /** Nanoseconds by phase. */
    private final Map<Phase, Long> spent = new EnumMap<>(Phase.class);

    private long phaseSince = System.nanoTime();
    private Spans spans;
    private Span jobSpan = NoopSpan.INSTANCE;
    private Span phaseSpan = NoopSpan.INSTANCE;
    private volatile long lastWork = System.nanoTime();
    private volatile boolean hasBegun;
    private volatile String run;
    private volatile Deletion deletion;
    private volatile long phaseStart = System.nanoTime();
    private volatile long documents;
    private volatile long total;
    private volatile long groups;
    private volatile int passes = 1;
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong compared = new AtomicLong();
    private volatile long remoteRead;
    private volatile long remoteCompared;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final WriteTurns turns = new WriteTurns();

    /** Documents that all steps of the phase send. */
    private volatile long sends;

    public JobTask(
            long id,
            String type,
            String action,
            String description,
            TaskId parent,
            Map<String, String> headers,
            WritePace pace) {
        super(id, type, action, description, parent, headers);
        this.pace = pace;
    }

    public WritePace pace() {
        return pace;
    }

    /** Changes the pace, also of a present wait. */
    void rethrottle(float requestsPerSecond) {
        pace = pace.withRequestsPerSecond(requestsPerSecond);
    }

    /** For what the cluster has no room for. Ends when the task is cancelled. */
    public Retries retries() {
        return new Retries(this::ensureNotCancelled, pace.patience());
    }

    /** For what must be known of a cancelled job, too. */
    public Retries retriesAfterCancellation() {
        return new Retries(() -> {}, pace.patience());
    }

    @Override
    public boolean shouldCancelChildrenOnCancellation() {
        return true;
    }

    /** Queues the task. {@code whenCancelled} runs if it is cancelled in the queue. */
    void waits(Runnable whenCancelled) {
        waiting.set(whenCancelled);
        if (isCancelled()) {
            onCancelled();
        }
    }

    /** Starts the task. Returns false if it was cancelled. */
    boolean begins(Spans ofNode) {
        worked();
        hasBegun = waiting.getAndSet(null) != null;
        if (hasBegun) {
            synchronized (this) {
                phaseSince = System.nanoTime();
                spans = ofNode;
                jobSpan = spans.start(spanName());
            }
        }
        return hasBegun;
    }

    /** {@code simhash.deduplicate} and the like. */
    private String spanName() {
        return "simhash." + getAction().substring(getAction().lastIndexOf('/') + 1);
    }

    synchronized void failed(Exception e) {
        jobSpan.setError(e);
    }

    /** No other thread works for it. */
    synchronized void ends() {
        phaseSpan.endSpan();
        jobSpan.endSpan();
        jobSpan = NoopSpan.INSTANCE;
        phaseSpan = jobSpan;
    }

    @Override
    protected void onCancelled() {
        Runnable whenCancelled = waiting.getAndSet(null);
        if (whenCancelled != null) {
            whenCancelled.run();
        }
    }

    public void enter(Phase next, long steps) {
        enter(next, steps, steps);
    }

    /** @param documents that all steps send, as far as known */
    public void enter(Phase next, long steps, long documents) {
        ensureNotCancelled();
        turns.stepped();
        synchronized (this) {
            sends = documents;
            phaseStart = System.nanoTime();
            done.set(0);
            total = steps;
            change(next);
        }
    }

    private synchronized void change(Phase next) {
        long now = System.nanoTime();
        spent.merge(phase, now - phaseSince, Long::sum);
        phaseSince = now;
        lastWork = now;
        if (phase != next && spans != null) {
            phaseSpan.endSpan();
            phaseSpan = spans.start(spanName() + "." + next, jobSpan);
        }
        phase = next;
    }

    /** Nanoseconds by phase up to now. */
    synchronized Map<Phase, Long> spent() {
        change(phase);
        return new EnumMap<>(spent);
    }

    /** Milliseconds by phase since the start. */
    public Map<String, Long> millis() {
        Map<String, Long> millis = new LinkedHashMap<>();
        spent().forEach((part, nanos) ->
                millis.put(part == Phase.WAITING ? "check" : part.toString(), nanos / 1_000_000));
        millis.remove(Phase.DONE.toString());
        return millis;
    }

    /** Whether it has a thread. */
    public boolean hasBegun() {
        return hasBegun;
    }

    /** Nanoseconds since the last progress; 0 while it waits for a thread or for its pace. */
    public long idleNanos() {
        boolean mayWait = hasBegun == false || turns.untilNanos() > 0;
        return mayWait ? 0 : Math.max(0, System.nanoTime() - lastWork);
    }

    /** A pass scans or joins now. There may be several passes, so the progress stays. */
    public void pass(Phase next) {
        ensureNotCancelled();
        if (phase == Phase.SCAN || phase == Phase.JOIN) {
            change(next);
        }
    }

    public void run(String id) {
        run = id;
    }

    String run() {
        return run;
    }

    /** Shows the deletion to other jobs. */
    public void deletes(Deletion from) {
        deletion = from;
    }

    public void documents(long count) {
        documents = count;
    }

    public void passes(int count) {
        passes = count;
    }

    public void groups(long count) {
        groups = count;
    }

    public void read(long count) {
        ensureNotCancelled();
        turns.stepped();
        read.addAndGet(count);
        done.addAndGet(count);
        worked();
    }

    public void compared(long pairs) {
        ensureNotCancelled();
        compared.addAndGet(pairs);
        worked();
    }

    private void worked() {
        lastWork = System.nanoTime();
    }

    /**
     * Sets the progress of passes on other nodes.
     *
     * @param allJoin whether all passes have finished reading
     */
    public void remote(long documents, long pairs, boolean allJoin) {
        if (documents != remoteRead || pairs != remoteCompared) {
            worked();
        }
        remoteRead = documents;
        remoteCompared = pairs;
        if (allJoin && phase == Phase.SCAN) {
            change(Phase.JOIN);
        }
    }

    public void remoteEnded(long documents, long pairs) {
        remoteRead = Math.max(0, remoteRead - documents);
        remoteCompared = Math.max(0, remoteCompared - pairs);
        read.addAndGet(documents);
        done.addAndGet(documents);
        compared.addAndGet(pairs);
        worked();
    }

    public void written(long count) {
        written.addAndGet(count);
        worked();
    }

    public void awaitTurn(Retries retries) {
        turns.await(retries);
    }

    public void sends(int documents) {
        turns.sends(documents);
        worked();
    }

    public void step(long count) {
        ensureNotCancelled();
        turns.stepped();
        done.addAndGet(count);
        worked();
    }

    public void stepsDone(long count) {
        ensureNotCancelled();
        done.set(count);
        worked();
    }

    public void ensureNotCancelled() {
        if (isCancelled()) {
            throw new TaskCancelledException("job was cancelled: " + getReasonCancelled());
        }
    }

    /** All figures belong to the named phase. */
    @Override
    public synchronized JobStatus getStatus() {
        long steps = total;
        Phase now = phase;
        boolean inPasses = now == Phase.SCAN || now == Phase.JOIN;
        long finished = Math.min(done.get() + (inPasses ? remoteRead : 0), steps);
        return new JobStatus(
                now.toString(),
                run,
                deletion,
                documents,
                read.get() + remoteRead,
                compared.get() + remoteCompared,
                groups,
                written.get(),
                passes,
                pace.typedRequestsPerSecond(),
                steps,
                finished,
                turns.waitedNanos() / 1_000_000,
                turns.untilNanos() / 1_000_000,
                remainingMillis(now, steps, finished));
    }

    /** Negative if unknown, for example during the last join. */
    private long remainingMillis(Phase now, long steps, long finished) {
        long left = steps - finished;
        if (now == Phase.JOIN && left == 0) {
            return -1;
        }
        long working = System.nanoTime() - phaseStart - turns.waitedNanos();
        double each = finished == 0 ? 0 : (double) working / finished;
        boolean isThrottled = now == Phase.WRITE && pace.typedRequestsPerSecond() > 0 && left > 0;
        if (finished == 0 && isThrottled == false) {
            return -1;
        }
        double throttled = isThrottled ? turns.nanosUntilLast(Math.round((double) left * sends / steps)) : 0;
        // The last request takes time after it is sent.
        double last = Math.min(left, pace.pageSize()) * each;
        return (long) (Math.max(each * left, throttled == 0 ? 0 : throttled + last) / 1_000_000);
    }

    /**
     * The pace of a job: when it may send the next write request, and how long it has waited. The wait after a request
     * depends on its number of documents. One thread writes; any thread may ask.
     */
    private final class WriteTurns {

        private volatile long lastStart = System.nanoTime();
        private volatile int lastDocuments;
        private volatile boolean isWaiting;
        private final AtomicLong waited = new AtomicLong();

        /** Documents sent since the last finished steps. */
        private final AtomicLong sent = new AtomicLong();

        void await(Retries retries) {
            if (untilNext() == 0) {
                return;
            }
            AtomicLong counted = new AtomicLong(System.nanoTime());
            isWaiting = true;
            try {
                // Asked some times a second, it counts as it waits.
                retries.waitUntil(() -> {
                    count(counted);
                    return next();
                });
            } finally {
                count(counted);
                isWaiting = false;
            }
        }

        private void count(AtomicLong counted) {
            long now = System.nanoTime();
            waited.addAndGet(now - counted.getAndSet(now));
        }

        void sends(int documents) {
            lastStart = System.nanoTime();
            lastDocuments = documents;
            sent.addAndGet(documents);
        }

        /** The documents sent so far belong to finished steps. */
        void stepped() {
            sent.set(0);
        }

        long waitedNanos() {
            return waited.get();
        }

        /** Nanoseconds left of the present wait; 0 without one. */
        long untilNanos() {
            return isWaiting ? untilNext() : 0;
        }

        private long next() {
            return lastStart + pace.nanos(lastDocuments);
        }

        private long untilNext() {
            return Math.max(0, next() - System.nanoTime());
        }

        /** Least nanoseconds until the last request is sent. */
        long nanosUntilLast(long documents) {
            long rest = Math.max(0, documents - sent.get());
            if (rest == 0) {
                return 0;
            }
            int each = lastDocuments > 0 ? lastDocuments : pace.pageSize();
            long ofLast = rest % each == 0 ? each : rest % each;
            return untilNext() + pace.nanos(rest - ofLast);
        }
    }
}
