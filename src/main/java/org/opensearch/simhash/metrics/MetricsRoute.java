/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import java.util.List;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.metrics.MetricsText.MetricsFormat;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.request.NodesAction;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_plugins/_simhash/metrics} of this node; with {@code cluster=true} of all nodes, or of those named in the
 * path.
 */
public final class MetricsRoute {

    private static final String OWN = "_local";

    /** Prometheus gives a scrape 10 s. */
    private static final TimeValue TIMEOUT = TimeValue.timeValueSeconds(5);

    private MetricsRoute() {}

    public static CheckedConsumer<RestChannel, Exception> of(RestRequest request, String[] none, NodeClient client) {
        MetricsFormat format = MetricsFormat.of(request.param("format"), request.header("Accept"));
        String names = request.param("nodeId");
        boolean isOfCluster = isOfCluster(request.param("cluster", "false"));
        if (names != null && request.hasParam("cluster")) {
            throw new IllegalArgumentException("[cluster] must not stand beside names of nodes, got: " + names);
        }
        String[] nodes = isOfCluster ? new String[0] : new String[] {OWN};
        if (names != null) {
            nodes = Strings.splitStringByCommaToArray(names);
        }
        NodesAction.Request metrics = new NodesAction.Request(List.of(), nodes);
        metrics.timeout(RequestOptions.positive("timeout", request.paramAsTime("timeout", TIMEOUT)));
        boolean isLabelled = isOfCluster || names != null;
        return channel -> client.execute(
                MetricsAction.INSTANCE, metrics, new MetricsListener(channel, format, names, isLabelled));
    }

    private static boolean isOfCluster(String value) {
        return switch (value) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("[cluster] must be [true] or [false], got: " + value);
        };
    }
}
