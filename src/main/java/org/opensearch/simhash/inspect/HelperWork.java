/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.function.LongConsumer;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.simhash.memory.Account;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.threadpool.ThreadPool;

/**
 * A request to a helper at work: on the helpers' threads, one step at a time, for a bounded time, until it is cancelled. All take turns,
 * so that none waits longer for a thread than the others' steps take; one that waits longer than a step may take is refused, because who
 * asked would get the answer too late. Both are HTTP 429.
 *
 * <p>Who works asks by {@link #check}, or by telling the memory that it takes. One step at a time; any thread.
 */
final class HelperWork implements LongConsumer {

    private final ThreadPool threads;
    private final CancellableTask task;
    private final Account memory;
    private final TimeValue most;

    /** When the step that runs has to end. */
    private volatile long deadline;

    /**
     * @param memory is told the bytes before they are taken, and may refuse them
     * @param most time for a step, and for waiting for a thread
     */
    HelperWork(ThreadPool threads, CancellableTask task, LongConsumer memory, TimeValue most) {
        this.threads = threads;
        this.task = task;
        this.memory = new Account(memory);
        this.most = most;
    }

    /**
     * The listener of the request, while whose body is on the account. Called once, before the first step.
     *
     * @param bytes of the body
     */
    <T> ActionListener<T> holding(long bytes, ActionListener<T> listener) {
        // Parsed it is as large again.
        memory.take(2 * bytes);
        return ActionListener.runBefore(listener, memory::close);
    }

    /** Runs the first step of a request, or of a part of it that was asked for by others, as soon as there is a thread. */
    void start(ActionListener<?> listener, CheckedRunnable<Exception> step) {
        long arrived = System.nanoTime();
        submit(listener, false, () -> {
            if (System.nanoTime() - arrived > most.nanos()) {
                throw refusal("waited more than " + most + " for one of the threads of [" + InspectThreads.INSPECT
                        + "], which others have; ask again later");
            }
            run(step);
        });
    }

    /** Runs another step of a request, behind all that wait for a thread now. */
    void next(ActionListener<?> listener, CheckedRunnable<Exception> step) {
        submit(listener, true, () -> run(step));
    }

    /** @param isForced whether the queue takes it when it is full: what has begun is not refused */
    private <T> void submit(ActionListener<T> listener, boolean isForced, CheckedRunnable<Exception> step) {
        threads.executor(InspectThreads.INSPECT).execute(new ActionRunnable<>(listener) {

            @Override
            protected void doRun() throws Exception {
                step.run();
            }

            @Override
            public boolean isForceExecution() {
                return isForced;
            }
        });
    }

    private void run(CheckedRunnable<Exception> step) throws Exception {
        begin();
        check();
        step.run();
    }

    /** What has a time of its own begins. */
    void begin() {
        deadline = System.nanoTime() + most.nanos();
    }

    /**
     * To be asked now and then.
     *
     * @throws TaskCancelledException when the request is cancelled
     * @throws OpenSearchStatusException with HTTP 429 when it has taken too long
     */
    void check() {
        if (task.isCancelled()) {
            throw new TaskCancelledException(task.getDescription() + " was cancelled: " + task.getReasonCancelled());
        }
        if (System.nanoTime() > deadline) {
            throw tooLong();
        }
    }

    OpenSearchStatusException tooLong() {
        return refusal("must take at most " + most + ", as [" + InspectThreads.MAX_TIME.getKey()
                + "] says; give it a shorter text, or a faster analyzer");
    }

    TimeValue most() {
        return most;
    }

    private OpenSearchStatusException refusal(String what) {
        return new OpenSearchStatusException(task.getDescription() + " " + what, RestStatus.TOO_MANY_REQUESTS);
    }

    /** Checks, and takes bytes; gives them back when negative. */
    @Override
    public void accept(long bytes) {
        if (bytes >= 0) {
            check();
        }
        memory.accept(bytes);
    }
}
