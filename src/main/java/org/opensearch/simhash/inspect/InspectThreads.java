/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;

/**
 * A small thread pool for inspection, so that long requests do not block the node's other threads. At least two: one
 * serves others meanwhile.
 */
public final class InspectThreads {

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
