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
 * @param inMemory whether they keep their data in memory where Linux offers it with room to spare
 */
public record NodeOptions(int nodes, List<String> jvmOptions, Map<String, String> settings, boolean inMemory) {

    /** On disk. */
    public NodeOptions(int nodes, List<String> jvmOptions, Map<String, String> settings) {
        this(nodes, jvmOptions, settings, false);
    }

    /** With one more setting. */
    public NodeOptions with(String setting, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(setting, value);
        return new NodeOptions(nodes, jvmOptions, Map.copyOf(more), inMemory);
    }

    /** Small and fast to start, slow to run: for tests, never for measurements. */
    public static NodeOptions quick(int nodes) {
        var options = List.of(
                "-Xms384m",
                "-Xmx384m",
                "-XX:-AlwaysPreTouch",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UseG1GC",
                "-XX:+UseSerialGC");
        Map<String, String> settings = Map.of(
                // The serial collector lets garbage fill the heap, which the breaker of real memory takes for want of
                // memory.
                "indices.breaker.total.use_real_memory",
                "false",
                // It writes files at each change of an index.
                "gateway.write_dangling_indices_info",
                "false");
        return new NodeOptions(nodes, options, settings, true);
    }

    /** As {@link #quick}, but schedules are looked at twice a second. */
    public static NodeOptions disturbed(int nodes) {
        return quick(nodes).with("plugins.simhash.schedules.interval", "500ms");
    }

    /** As {@link #quick}, but a node that stands still is given up in some seconds. */
    public static NodeOptions impatient(int nodes) {
        return quick(nodes)
                .with("cluster.fault_detection.follower_check.timeout", "1s")
                .with("cluster.fault_detection.follower_check.retry_count", "2");
    }

    /** As in production but for the heap, for example {@code 1g}. */
    public static NodeOptions production(int nodes, String heap) {
        return new NodeOptions(nodes, List.of("-Xms" + heap, "-Xmx" + heap), Map.of());
    }
}
