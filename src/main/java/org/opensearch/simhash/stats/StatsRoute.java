/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.stats;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.request.Endpoint;
import org.opensearch.simhash.request.NodesAction;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_plugins/_simhash/stats}: selects nodes and sections by names and wildcards, as {@code _nodes/stats}
 * does.
 */
public final class StatsRoute {

    private static final String ALL = "_all";

    private StatsRoute() {}

    public static CheckedConsumer<RestChannel, Exception> of(RestRequest request, String[] none, NodeClient client) {
        String[] nodes = Strings.splitStringByCommaToArray(request.param("nodeId"));
        NodesAction.Request stats = new NodesAction.Request(sections(request), nodes);
        stats.timeout(RequestOptions.positive("timeout", request.paramAsTime("timeout", stats.timeout())));
        return channel -> client.execute(StatsAction.INSTANCE, stats, new NodesResponseRestListener<>(channel));
    }

    private static List<String> sections(RestRequest request) {
        String stat = request.param("stat", ALL);
        Set<String> asked = Strings.tokenizeByCommaToSet(stat);
        if (asked.isEmpty()) {
            throw new IllegalArgumentException("[stat] must be of " + NodeCounts.SECTIONS + ", got: " + stat);
        }
        Set<String> unknown = new TreeSet<>(asked);
        unknown.remove(ALL);
        NodeCounts.SECTIONS.forEach(unknown::remove);
        if (unknown.isEmpty() == false) {
            throw new IllegalArgumentException("[stat] must be of " + NodeCounts.SECTIONS + ", got: "
                    + String.join(", ", unknown) + "; "
                    + Endpoint.meant(request, unknown, NodeCounts.SECTIONS, "stat"));
        }
        return asked.contains(ALL) ? NodeCounts.SECTIONS : List.copyOf(asked);
    }
}
