/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.List;
import java.util.function.LongConsumer;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.simhash.deduplicate.join.CrowdScan;
import org.opensearch.simhash.deduplicate.join.NearGraph;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.memory.Account;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.threadpool.ScalingExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;

/**
 * Threads of their own, so that jobs take none from searches and writes: jobs, restores and passes each wait for what they have
 * sent, the joins compute. Those who wait are never in the pool of those whom they wait for.
 */
public final class DeduplicateThreads {

    public static final String JOB = "simhash_job";
    public static final String RESTORE = "simhash_restore";
    public static final String PASS = "simhash_pass";
    static final String JOIN = "simhash_join";

    /** More wait for their turn. */
    private static final int JOBS = 8;

    private static final TimeValue KEEP_ALIVE = TimeValue.timeValueMinutes(1);

    private DeduplicateThreads() {}

    /** How many threads a join has at most. */
    public static int joining(ThreadPool threads) {
        return threads.info(JOIN).getMax();
    }

    /**
     * A join on all threads that there are for it.
     *
     * @param allowance bytes that it is to fit into
     * @param compared is told of pairs as they are compared
     */
    public static NearJoin join(ThreadPool threads, int distance, long allowance, LongConsumer compared) {
        return new NearJoin(distance, threads.executor(JOIN), joining(threads), allowance, compared);
    }

    /**
     * Links of a crowd, found on the same threads.
     *
     * @param memory pays for it
     */
    public static CrowdScan crowd(JobRun run, NearGraph graph, Account memory) {
        ThreadPool threads = run.services().transport().getThreadPool();
        return new CrowdScan(
                graph,
                run.options().maxDistance(),
                threads.executor(JOIN),
                joining(threads),
                run.services().memory().allowance(),
                memory,
                run.task()::compared);
    }

    /** The node's thread pools for deduplication. */
    public static List<ExecutorBuilder<?>> builders(Settings settings) {
        int processors = OpenSearchExecutors.allocatedProcessors(settings);
        return List.of(
                new ScalingExecutorBuilder(JOB, 0, JOBS, KEEP_ALIVE),
                new ScalingExecutorBuilder(RESTORE, 0, JOBS, KEEP_ALIVE),
                new ScalingExecutorBuilder(PASS, 0, JOBS, KEEP_ALIVE),
                new FixedExecutorBuilder(settings, JOIN, processors, -1, "thread_pool." + JOIN));
    }
}
