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
 * Where texts are inspected: few threads of their own, so that a request which takes long takes one of these, and none that the node
 * lives on. They are two at least: the second serves others meanwhile.
 */
public final class InspectThreads {

    static final String INSPECT = "simhash_inspect";

    /** How long one request, or one document of its sample, may take a thread, and wait for one. */
    public static final Setting<TimeValue> MAX_TIME = Setting.timeSetting(
            "plugins.simhash.helpers.max_time",
            TimeValue.timeValueSeconds(2),
            TimeValue.timeValueMillis(10),
            TimeValue.timeValueMinutes(1),
            Property.NodeScope,
            Property.Dynamic);

    private static final int QUEUE = 100;

    private InspectThreads() {}

    /** The node's thread pool for inspection: half of the processors, so that searches have the others. */
    public static ExecutorBuilder<?> builder(Settings settings) {
        int threads = Math.max(2, OpenSearchExecutors.allocatedProcessors(settings) / 2);
        return new FixedExecutorBuilder(settings, INSPECT, threads, QUEUE, "thread_pool." + INSPECT);
    }
}
