/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;

/**
 * Where texts are inspected: few threads of their own. A request may bring an analyzer along, and a regular expression that
 * tracks back for hours takes a thread that nobody can take away from it: one of these, and none that the node lives on.
 */
public final class InspectThreads {

    static final String INSPECT = "simhash_inspect";

    private static final int QUEUE = 1000;

    private InspectThreads() {}

    /** The node's thread pool for inspection: half of the processors, so that searches have the others. */
    public static ExecutorBuilder<?> builder(Settings settings) {
        int threads = Math.max(1, OpenSearchExecutors.allocatedProcessors(settings) / 2);
        return new FixedExecutorBuilder(settings, INSPECT, threads, QUEUE, "thread_pool." + INSPECT);
    }

    /** @throws TaskCancelledException when the task is cancelled */
    static void checkCancelled(CancellableTask task) {
        if (task.isCancelled()) {
            throw new TaskCancelledException(task.getDescription() + " was cancelled: " + task.getReasonCancelled());
        }
    }
}
