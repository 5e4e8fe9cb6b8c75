/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.stats;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_plugins/_simhash/stats}: selects nodes and sections by names and wildcards, as {@code _nodes/stats}
 * does.
 */
public final class RestStatsAction extends BaseRestHandler {

    private static final String ALL = "_all";

    @Override
    public String getName() {
        return "simhash_stats_action";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(Method.GET, "/_plugins/_simhash/stats"),
                new Route(Method.GET, "/_plugins/_simhash/stats/{stat}"),
                new Route(Method.GET, "/_plugins/_simhash/{nodeId}/stats"),
                new Route(Method.GET, "/_plugins/_simhash/{nodeId}/stats/{stat}"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
        String[] nodes = Strings.splitStringByCommaToArray(request.param("nodeId"));
        StatsAction.Request stats = new StatsAction.Request(sections(request), nodes);
        stats.timeout(RequestOptions.positive("timeout", request.paramAsTime("timeout", stats.timeout())));
        return channel -> client.execute(StatsAction.INSTANCE, stats, new NodesResponseRestListener<>(channel));
    }

    private List<String> sections(RestRequest request) {
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
                    + unrecognized(request, unknown, Set.copyOf(NodeCounts.SECTIONS), "stat"));
        }
        return asked.contains(ALL) ? NodeCounts.SECTIONS : List.copyOf(asked);
    }
}
