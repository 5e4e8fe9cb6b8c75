/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.List;
import java.util.concurrent.Executor;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.script.ScriptService;
import org.opensearch.simhash.deduplicate.job.DeduplicateMemory.DeduplicateDisk;
import org.opensearch.simhash.fingerprint.SketchKind;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.query.SearchCounts;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.threadpool.ScalingExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * Services of the node that jobs use.
 *
 * @param searches counts text comparisons, too
 */
public record JobServices(
        TransportService transport,
        Client client,
        ClusterService cluster,
        NamedWriteableRegistry registry,
        NamedXContentRegistry contents,
        PipelineRecipes recipes,
        PipelineRecipes.SketchRecipes sketchRecipes,
        PipelineRecipes.PassageRecipes passageRecipes,
        DeduplicateMemory memory,
        DeduplicateDisk disk,
        ScriptService scripts,
        SearchCounts searches) {

    @Inject
    public JobServices {}

    /** The recipes of a kind. */
    public PipelineRecipes recipes(SketchKind kind) {
        return switch (kind) {
            case SIMHASH -> recipes;
            case MINHASH -> sketchRecipes.recipes();
            case PASSAGES -> passageRecipes.recipes();
        };
    }

    /**
     * Thread pools for jobs, so that searches and writes keep theirs. Threads that wait for work are never in the pool that
     * does the work.
     */
    public static final class DeduplicateThreads {

        public static final String JOB = "simhash_job";
        public static final String RESTORE = "simhash_restore";
        public static final String PASS = "simhash_pass";
        static final String JOIN = "simhash_join";

        /** Further jobs wait in the queue. */
        private static final int JOBS = 8;

        private static final TimeValue KEEP_ALIVE = TimeValue.timeValueMinutes(1);

        private DeduplicateThreads() {}

        /** The threads that do the work of jobs. */
        public static Executor joiners(ThreadPool threads) {
            return threads.executor(JOIN);
        }

        /** Most threads of a join. */
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
}
