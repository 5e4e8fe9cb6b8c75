/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.util.List;
import java.util.concurrent.Executor;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.threadpool.ScalingExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;

/** Thread pools for jobs, so that searches and writes keep theirs. Threads that wait for work are never in the pool that does the work. */
public final class DeduplicateThreads {

    public static final String JOB = "simhash_job";
    public static final String RESTORE = "simhash_restore";
    public static final String PASS = "simhash_pass";
    static final String JOIN = "simhash_join";

    /** Further jobs wait in the queue. */
    private static final int JOBS = 8;

    private static final TimeValue KEEP_ALIVE = TimeValue.timeValueMinutes(1);

    private DeduplicateThreads() {}

    public static Executor joiners(ThreadPool threads) {
        return threads.executor(JOIN);
    }

    public static int joining(ThreadPool threads) {
        return threads.info(JOIN).getMax();
    }

    public static List<ExecutorBuilder<?>> builders(Settings settings) {
        int processors = OpenSearchExecutors.allocatedProcessors(settings);
        return List.of(
                new ScalingExecutorBuilder(JOB, 0, JOBS, KEEP_ALIVE),
                new ScalingExecutorBuilder(RESTORE, 0, JOBS, KEEP_ALIVE),
                new ScalingExecutorBuilder(PASS, 0, JOBS, KEEP_ALIVE),
                new FixedExecutorBuilder(settings, JOIN, processors, -1, "thread_pool." + JOIN));
    }
}
