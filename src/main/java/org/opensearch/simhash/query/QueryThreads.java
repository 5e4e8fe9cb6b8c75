/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;

/**
 * Where the sources of queries become fingerprints: threads of their own, since an analyzer of a pipeline may be slow, and this
 * runs before a search has a thread. Beyond the queue searches are rejected as they are by the pool {@code search}.
 */
public final class QueryThreads {

    static final String QUERY = "simhash_query";

    private static final int QUEUE = 1000;

    private QueryThreads() {}

    /** The node's thread pool for the sources of queries. */
    public static ExecutorBuilder<?> builder(Settings settings) {
        int processors = OpenSearchExecutors.allocatedProcessors(settings);
        return new FixedExecutorBuilder(settings, QUERY, processors, QUEUE, "thread_pool." + QUERY);
    }
}
