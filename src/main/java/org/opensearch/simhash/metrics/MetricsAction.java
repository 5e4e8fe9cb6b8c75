/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.metrics.MetricsText.MetricsFormat;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.request.LocalAction;
import org.opensearch.simhash.request.NodesAction;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;
import org.opensearch.usage.UsageService;

/** The metrics of some or all nodes. */
public final class MetricsAction extends NodesAction<MetricsAction.Metrics> {

    public static final String NAME = "cluster:monitor/simhash/metrics";
    public static final ActionType<Response<Metrics>> INSTANCE = LocalAction.type(NAME);

    private final NodeMetrics metrics;

    @Inject
    public MetricsAction(
            ThreadPool threads,
            ClusterService cluster,
            TransportService transport,
            ActionFilters filters,
            NodeMetrics metrics,
            UsageService usage) {
        super(NAME, threads, cluster, transport, filters, Metrics::new);
        this.metrics = metrics;
        metrics.requests().usage(usage);
    }

    record Metrics(List<Metric> all) implements Writeable {

        private Metrics(StreamInput in) throws IOException {
            this(in.readList(Metric::new));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeList(all);
        }
    }

    @Override
    protected Metrics answer(List<String> all) {
        return new Metrics(metrics.read(clusterService.localNode().getId()));
    }

    /**
     * {@code GET /_plugins/_simhash/metrics} of this node; with {@code cluster=true} of all nodes, or of those named in the
     * path.
     */
    public static final class MetricsRoute {

        private static final String OWN = "_local";

        /** Prometheus gives a scrape 10 s. */
        private static final TimeValue TIMEOUT = TimeValue.timeValueSeconds(5);

        private MetricsRoute() {}

        public static CheckedConsumer<RestChannel, Exception> of(
                RestRequest request, String[] none, NodeClient client) {
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
}
