/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.Strings;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.node.NodeClosedException;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.simhash.desk.metrics.MetricsText.MetricsFormat;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;
import org.opensearch.usage.UsageService;

/** The metrics of some or all nodes, each as text. */
public final class MetricsAction extends NodesAction<String> {

    public static final String NAME = "cluster:monitor/simhash/metrics";
    public static final ActionType<Response<String>> INSTANCE = LocalAction.type(NAME);

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
        super(NAME, threads, cluster, transport, filters);
        this.metrics = metrics;
        metrics.requests().usage(usage);
    }

    @Override
    protected String answer(List<String> wanted) {
        MetricsFormat format = MetricsFormat.of(wanted.getFirst(), null);
        return format.write(metrics.read(clusterService.localNode().getId()));
    }

    /** Of this node; with {@code cluster=true} of all nodes, or of those named in the path. */
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
        NodesAction.Request metrics = new NodesAction.Request(List.of(format.toString()), nodes);
        metrics.timeout(RequestOptions.positive("timeout", request.paramAsTime("timeout", TIMEOUT)));
        boolean isLabelled = isOfCluster || names != null;
        return channel -> client.execute(INSTANCE, metrics, new RestResponseListener<>(channel) {
            @Override
            public RestResponse buildResponse(NodesAction.Response<String> response) {
                requireSome(response, names);
                return joined(response, format, isLabelled);
            }
        });
    }

    private static boolean isOfCluster(String value) {
        return switch (value) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("[cluster] must be [true] or [false], got: " + value);
        };
    }

    /** A metric shows which of several nodes did not answer. */
    private static RestResponse joined(
            NodesAction.Response<String> response, MetricsFormat format, boolean isLabelled) {
        MetricsText text = new MetricsText(format);
        Set<String> taken = new HashSet<>();
        for (NodesAction.NodeResponse<String> node : response.getNodes()) {
            String name = node.getNode().getName();
            String label = taken.add(name) ? name : name + "/" + node.getNode().getId();
            text.add(isLabelled ? label : null, node.value());
            if (isLabelled) {
                text.add(label, up(format, 1));
            }
        }
        for (FailedNodeException failure : response.failures()) {
            text.add(failure.nodeId(), up(format, 0));
        }
        return new BytesRestResponse(RestStatus.OK, format.writer().getContentType(), text.toString());
    }

    private static void requireSome(NodesAction.Response<String> response, String names) {
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
                || (cause instanceof OpenSearchRejectedExecutionException rejection && rejection.isExecutorShutdown());
        String reason = isClosing ? "it is shutting down" : cause.getMessage();
        RestStatus status = isClosing ? RestStatus.SERVICE_UNAVAILABLE : ExceptionsHelper.status(cause);
        return new OpenSearchStatusException(
                "node [" + failure.nodeId() + "] gives no metrics: " + reason, status, cause);
    }

    private static String up(MetricsFormat format, int value) {
        String help = "Whether the node answered; one that did not has its id as label.";
        return format.write(MetricSnapshots.of(NodeMetrics.gauge("node_up", help, Map.of(Labels.EMPTY, value))));
    }
}
