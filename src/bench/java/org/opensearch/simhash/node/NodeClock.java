/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.time.Duration;
import java.util.Map;

/** The processor time of a cluster's only node. */
public final class NodeClock {

    private NodeClock() {}

    /** Asked of the operating system: the node itself looks once a second only. */
    public static Duration cpu(RestClient client) {
        var nodes = (Map<?, ?>) client.get("/_nodes/process").at("nodes");
        Object only = nodes.values().iterator().next();
        long process = ((Number) Json.at(only, "process.id")).longValue();
        return ProcessHandle.of(process)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElseThrow();
    }
}
