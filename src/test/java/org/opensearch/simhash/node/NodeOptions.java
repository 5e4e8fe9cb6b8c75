/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How to run the nodes of a cluster.
 *
 * @param nodes how many
 * @param jvmOptions options of the nodes' JVMs, after those of the distribution's {@code jvm.options}
 * @param settings for {@code opensearch.yml}
 */
public record NodeOptions(int nodes, List<String> jvmOptions, Map<String, String> settings) {

    /** Small and fast to start, slow to run: for tests, never for measurements. */
    public static NodeOptions quick(int nodes) {
        var options = List.of(
                "-Xms384m",
                "-Xmx384m",
                "-XX:-AlwaysPreTouch",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UseG1GC",
                "-XX:+UseSerialGC");
        // The serial collector lets garbage fill the heap, which the breaker of real memory takes for want of memory.
        return new NodeOptions(nodes, options, Map.of("indices.breaker.total.use_real_memory", "false"));
    }

    /** As {@link #quick}, but a node that stands still is given up in some seconds. */
    public static NodeOptions impatient(int nodes) {
        NodeOptions quick = quick(nodes);
        Map<String, String> settings = new HashMap<>(quick.settings);
        settings.put("cluster.fault_detection.follower_check.timeout", "1s");
        settings.put("cluster.fault_detection.follower_check.retry_count", "2");
        return new NodeOptions(nodes, quick.jvmOptions, Map.copyOf(settings));
    }

    /** As in production but for the heap, for example {@code 1g}. */
    public static NodeOptions production(int nodes, String heap) {
        return new NodeOptions(nodes, List.of("-Xms" + heap, "-Xmx" + heap), Map.of());
    }
}
