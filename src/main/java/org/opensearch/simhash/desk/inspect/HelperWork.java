/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.function.LongConsumer;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.request.RequestOnIndices.RequestTask;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;

/**
 * A request that runs in steps on the helpers' threads, for a bounded time, in turns with others. One that waits longer than a step
 * may take is refused. Steps must call {@link #check}, or report memory, regularly. One step at a time; any thread.
 */
public final class HelperWork implements LongConsumer {

    private final ThreadPool threads;
    private final CancellableTask task;
    private final Account memory;
    private final TimeValue maxTime;

    /** When the current step must end. */
    private volatile long deadline;

    /** @param maxTime for a step, and for waiting for a thread */
    HelperWork(ThreadPool threads, CancellableTask task, LongConsumer memory, TimeValue maxTime) {
        this.threads = threads;
        this.task = task;
        this.memory = new Account(memory);
        this.maxTime = maxTime;
    }

    /** The listener of the request; until it is called, the body is accounted for. Call once, before the first step. */
    <T> ActionListener<T> holding(long bytes, ActionListener<T> listener) {
        // The parsed body is as large again.
        memory.take(2 * bytes);
        return ActionListener.runBefore(listener, memory::close);
    }

    /** Submits the first step of a request, or of a part of it. */
    void start(ActionListener<?> listener, CheckedRunnable<Exception> step) {
        long arrived = System.nanoTime();
        submit(listener, false, () -> {
            if (System.nanoTime() - arrived > maxTime.nanos()) {
                throw refusal("waited more than " + maxTime + " for one of the threads of [" + InspectThreads.INSPECT
                        + "], which others have; ask again later");
            }
            run(step);
        });
    }

    /** Runs another step, behind all that wait, and waits for its end. Not for a thread of the helpers. */
    <T> T await(CheckedSupplier<T, Exception> step) {
        PlainActionFuture<T> done = PlainActionFuture.newFuture();
        submit(done, true, () -> run(() -> done.onResponse(step.get())));
        return done.actionGet();
    }

    /** @param isForced whether a full queue accepts it: a request that has begun is not refused */
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

    void begin() {
        deadline = System.nanoTime() + maxTime.nanos();
    }

    /** Checks whether the request is cancelled, or took too long; call regularly. */
    void check() {
        RequestTask.requireGoing(task);
        if (System.nanoTime() > deadline) {
            throw tooLong();
        }
    }

    OpenSearchStatusException tooLong() {
        return refusal("must take at most " + maxTime + ", as [" + InspectThreads.MAX_TIME.getKey()
                + "] says; give it a shorter text, or a faster analyzer");
    }

    CancellableTask task() {
        return task;
    }

    TimeValue maxTime() {
        return maxTime;
    }

    OpenSearchStatusException refusal(String what) {
        return new OpenSearchStatusException(task.getDescription() + " " + what, RestStatus.TOO_MANY_REQUESTS);
    }

    /** Checks, then takes bytes; negative ones are given back. */
    @Override
    public void accept(long bytes) {
        if (bytes >= 0) {
            check();
        }
        memory.accept(bytes);
    }

    /** A small pool, so that long requests do not block other threads of the node. At least two: one serves others meanwhile. */
    public static final class InspectThreads {

        static final String INSPECT = "simhash_inspect";

        /** The most time that a request, or a document of its sample, may hold or wait for a thread. */
        public static final Setting<TimeValue> MAX_TIME = Setting.timeSetting(
                "plugins.simhash.helpers.max_time",
                TimeValue.timeValueSeconds(2),
                TimeValue.timeValueMillis(10),
                TimeValue.timeValueMinutes(1),
                Property.NodeScope,
                Property.Dynamic);

        private static final int QUEUE = 100;

        private InspectThreads() {}

        /** Half of the processors; searches have the others. */
        public static ExecutorBuilder<?> builder(Settings settings) {
            int threads = Math.max(2, OpenSearchExecutors.allocatedProcessors(settings) / 2);
            return new FixedExecutorBuilder(settings, INSPECT, threads, QUEUE, "thread_pool." + INSPECT);
        }
    }
}
