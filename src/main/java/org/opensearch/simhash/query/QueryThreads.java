/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;

/**
 * The threads that turn sources of queries into fingerprints, apart from others because an analyzer may be slow. If the queue is
 * full, the search is rejected, as by the pool {@code search}.
 */
public final class QueryThreads {

    static final String QUERY = "simhash_query";

    private static final int QUEUE = 1000;

    private QueryThreads() {}

    public static ExecutorBuilder<?> builder(Settings settings) {
        int processors = OpenSearchExecutors.allocatedProcessors(settings);
        return new FixedExecutorBuilder(settings, QUERY, processors, QUEUE, "thread_pool." + QUERY);
    }
}
