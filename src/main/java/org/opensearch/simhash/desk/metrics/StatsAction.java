/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** The counts of the plugin on some or all nodes, by section: the wanted ones of {@link NodeCounts}. */
public final class StatsAction extends NodesAction<Map<String, Object>> {

    public static final String NAME = "cluster:monitor/simhash/stats";
    public static final ActionType<Response<Map<String, Object>>> INSTANCE = LocalAction.type(NAME);

    private static final String ALL = "_all";

    private final NodeCounts counts;

    @Inject
    public StatsAction(
            ThreadPool threads,
            ClusterService cluster,
            TransportService transport,
            ActionFilters filters,
            NodeCounts counts) {
        super(NAME, threads, cluster, transport, filters);
        this.counts = counts;
    }

    @Override
    protected Map<String, Object> answer(List<String> wanted) {
        return counts.sections(wanted);
    }

    /** Selects nodes and sections by names and wildcards, as {@code _nodes/stats} does. */
    public static CheckedConsumer<RestChannel, Exception> route(RestRequest request, String[] none, NodeClient client) {
        String[] nodes = Strings.splitStringByCommaToArray(request.param("nodeId"));
        NodesAction.Request stats = new NodesAction.Request(sections(request), nodes);
        stats.timeout(RequestOptions.positive("timeout", request.paramAsTime("timeout", stats.timeout())));
        return channel -> client.execute(INSTANCE, stats, new NodesResponseRestListener<>(channel));
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
