/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.tasks.CancellableTask;

/** A job as {@code _tasks} shows it. Thread-safe. */
public final class JobTask extends CancellableTask {

    /** Steps of a phase of which nobody knows how long it takes. */
    public static final long UNKNOWN = 0;

    /** What to do when it is cancelled before it begins; null from then on. */
    private final AtomicReference<Runnable> waiting = new AtomicReference<>();

    private volatile WritePace pace;
    private volatile Phase phase = Phase.WAITING;
    /** Nanoseconds by phase. */
    private final Map<Phase, Long> spent = new EnumMap<>(Phase.class);

    private long phaseSince = System.nanoTime();
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
    private final WriteTurns turns = new WriteTurns(System::nanoTime, this::pace);

    /** Documents that all steps of the phase send. */
    private volatile long sends;

    JobTask(
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

    /** How fast it writes at present. */
    public WritePace pace() {
        return pace;
    }

    /**
     * It writes that many documents a second from now on, also when it waits for its turn.
     *
     * @param requestsPerSecond greater than 0, or -1 for no limit
     */
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

    /** It waits for its turn; when it is cancelled before that comes, this is done. */
    void waits(Runnable whenCancelled) {
        waiting.set(whenCancelled);
        if (isCancelled()) {
            onCancelled();
        }
    }

    /** It is its turn, unless it was cancelled before. */
    boolean begins() {
        worked();
        hasBegun = waiting.getAndSet(null) != null;
        return hasBegun;
    }

    @Override
    protected void onCancelled() {
        Runnable whenCancelled = waiting.getAndSet(null);
        if (whenCancelled != null) {
            whenCancelled.run();
        }
    }

    /**
     * What the job does from now on.
     *
     * @param steps how many there are; {@link #UNKNOWN} where nobody knows how long each takes
     */
    public void enter(Phase next, long steps) {
        enter(next, steps, steps);
    }

    /** @param documents that are sent by all steps together, as far as is known */
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
        phase = next;
    }

    /** Nanoseconds by phase, those of the last one included. */
    synchronized Map<Phase, Long> spent() {
        change(phase);
        return new EnumMap<>(spent);
    }

    /** Whether it has a thread. */
    public boolean hasBegun() {
        return hasBegun;
    }

    /** Nanoseconds since anything was done; 0 while it waits for a thread or for its turn to write. */
    public long idleNanos() {
        boolean mayWait = hasBegun == false || turns.untilNanos() > 0;
        return mayWait ? 0 : Math.max(0, System.nanoTime() - lastWork);
    }

    /** A pass, of which there may be several, scans or joins now: how far all of them are goes on. */
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

    /** Shown from now on to jobs that look whether they may delete from the same indices. */
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
     * What passes on other nodes have done so far, as they tell.
     *
     * @param allJoin whether all passes, those on this node included, have read what they need
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

    /** A pass on another node is done. */
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

    /** Waits until the pace allows the next write request. */
    public void awaitTurn(Retries retries) {
        turns.await(retries);
    }

    /** A write request is sent now. */
    public void sends(int documents) {
        turns.sends(documents);
        worked();
    }

    /** Some steps of the phase are done. */
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

    long compared() {
        return compared.get();
    }

    /** The figures are those of the phase that it names. */
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

    /** Negative when nobody knows: how long the last pass joins, for example. */
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
        // When the last request is sent, it is carried out.
        double last = Math.min(left, pace.scrollSize()) * each;
        return (long) (Math.max(each * left, throttled == 0 ? 0 : throttled + last) / 1_000_000);
    }
}
