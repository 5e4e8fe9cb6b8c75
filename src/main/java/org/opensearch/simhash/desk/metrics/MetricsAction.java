/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.node.NodeClosedException;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.simhash.desk.metrics.MetricsText.MetricsFormat;
import org.opensearch.simhash.desk.request.NodesAction;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;
import org.opensearch.usage.UsageService;

/** The metrics of some or all nodes. */
public final class MetricsAction extends NodesAction<List<Metric>> {

    public static final String NAME = "cluster:monitor/simhash/metrics";
    public static final ActionType<Response<List<Metric>>> INSTANCE = LocalAction.type(NAME);

    /** This node. */
    private static final String OWN = "_local";

    /** Prometheus gives a scrape 10 s. */
    private static final TimeValue TIMEOUT = TimeValue.timeValueSeconds(5);

    private final NodeMetrics metrics;

    @Inject
    public MetricsAction(
            ThreadPool threads,
            ClusterService cluster,
            TransportService transport,
            ActionFilters filters,
            NodeMetrics metrics,
            UsageService usage) {
        super(NAME, threads, cluster, transport, filters, in -> in.readList(Metric::new), StreamOutput::writeList);
        this.metrics = metrics;
        metrics.requests().usage(usage);
    }

    @Override
    protected List<Metric> answer(List<String> all) {
        return metrics.read(clusterService.localNode().getId());
    }

    /**
     * {@code GET /_plugins/_simhash/metrics} of this node; with {@code cluster=true} of all nodes, or of those named in the
     * path.
     */
    public static CheckedConsumer<RestChannel, Exception> route(RestRequest request, String[] none, NodeClient client) {
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
        return channel -> client.execute(INSTANCE, metrics, new MetricsListener(channel, format, names, isLabelled));
    }

    private static boolean isOfCluster(String value) {
        return switch (value) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("[cluster] must be [true] or [false], got: " + value);
        };
    }

    /**
     * Writes the answers of nodes. A metric shows which of several nodes did not answer; if none did, the answer is an
     * error.
     */
    static final class MetricsListener extends RestResponseListener<NodesAction.Response<List<Metric>>> {

        private final MetricsFormat format;
        private final String names;
        private final boolean isLabelled;

        /**
         * @param names the nodes asked for, or null
         * @param isLabelled whether samples name their node
         */
        MetricsListener(RestChannel channel, MetricsFormat format, String names, boolean isLabelled) {
            super(channel);
            this.format = format;
            this.names = names;
            this.isLabelled = isLabelled;
        }

        @Override
        public RestResponse buildResponse(NodesAction.Response<List<Metric>> response) throws IOException {
            requireSome(response);
            MetricsText text = new MetricsText();
            Set<String> taken = new HashSet<>();
            for (NodesAction.NodeResponse<List<Metric>> node : response.getNodes()) {
                String label = isLabelled ? label(node.getNode(), taken) : null;
                text.add(label, node.value());
                if (isLabelled) {
                    text.add(label, up(1));
                }
            }
            for (FailedNodeException failure : response.failures()) {
                text.add(failure.nodeId(), up(0));
            }
            BytesStreamOutput out = channel.bytesOutput();
            text.write(out, format);
            return new BytesRestResponse(RestStatus.OK, format.writer().getContentType(), out.bytes());
        }

        private void requireSome(NodesAction.Response<List<Metric>> response) {
            if (response.getNodes().isEmpty() == false) {
                return;
            }
            List<FailedNodeException> failures = response.failures();
            if (failures.isEmpty()) {
                throw new OpenSearchStatusException(
                        "[node] must name a node of the cluster, got: " + names, RestStatus.NOT_FOUND);
            }
            throw whyNot(failures.getFirst());
        }

        /** The error of a node that is shutting down says so. */
        static OpenSearchStatusException whyNot(FailedNodeException failure) {
            Throwable cause = ExceptionsHelper.unwrapCause(failure.getCause() == null ? failure : failure.getCause());
            boolean isClosing = cause instanceof NodeClosedException
                    || (cause instanceof OpenSearchRejectedExecutionException rejection
                            && rejection.isExecutorShutdown());
            String reason = isClosing ? "it is shutting down" : cause.getMessage();
            RestStatus status = isClosing ? RestStatus.SERVICE_UNAVAILABLE : ExceptionsHelper.status(cause);
            return new OpenSearchStatusException(
                    "node [" + failure.nodeId() + "] gives no metrics: " + reason, status, cause);
        }

        /** The node's name, with its id if the name is taken. */
        private static String label(DiscoveryNode node, Set<String> taken) {
            return taken.add(node.getName()) ? node.getName() : node.getName() + "/" + node.getId();
        }

        private static List<Metric> up(int value) {
            return List.of(Metric.gauge("node_up", "Whether the node answered; one that did not has its id as label.")
                    .add(value));
        }
    }
}
