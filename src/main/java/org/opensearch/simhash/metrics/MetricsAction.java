/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;
import org.opensearch.usage.UsageService;

/** The metrics of some or all nodes. */
public final class MetricsAction
        extends TransportNodesAction<
                MetricsAction.Request, MetricsAction.Response, MetricsAction.NodeRequest, MetricsAction.NodeResponse> {

    public static final String NAME = "cluster:monitor/simhash/metrics";
    public static final ActionType<Response> INSTANCE = new ActionType<>(NAME, Response::new);

    private final NodeMetrics metrics;

    @Inject
    public MetricsAction(
            ThreadPool threadPool,
            ClusterService clusterService,
            TransportService transportService,
            ActionFilters filters,
            NodeMetrics metrics,
            UsageService usage) {
        super(
                NAME,
                threadPool,
                clusterService,
                transportService,
                filters,
                Request::new,
                NodeRequest::new,
                ThreadPool.Names.MANAGEMENT,
                ThreadPool.Names.MANAGEMENT,
                NodeResponse.class);
        this.metrics = metrics;
        metrics.requests().usage(usage);
    }

    public static final class Request extends BaseNodesRequest<Request> {

        Request(String... nodes) {
            super(nodes);
        }

        Request(StreamInput in) throws IOException {
            super(in);
        }
    }

    static final class NodeRequest extends TransportRequest {

        NodeRequest() {}

        NodeRequest(StreamInput in) throws IOException {
            super(in);
        }
    }

    public static final class NodeResponse extends BaseNodeResponse {

        private final List<Metric> metrics;

        NodeResponse(DiscoveryNode node, List<Metric> metrics) {
            super(node);
            this.metrics = metrics;
        }

        NodeResponse(StreamInput in) throws IOException {
            super(in);
            this.metrics = in.readList(Metric::new);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            out.writeList(metrics);
        }

        List<Metric> metrics() {
            return metrics;
        }
    }

    public static final class Response extends BaseNodesResponse<NodeResponse> {

        Response(ClusterName cluster, List<NodeResponse> nodes, List<FailedNodeException> failures) {
            super(cluster, nodes, failures);
        }

        Response(StreamInput in) throws IOException {
            super(in);
        }

        @Override
        protected List<NodeResponse> readNodesFrom(StreamInput in) throws IOException {
            return in.readList(NodeResponse::new);
        }

        @Override
        protected void writeNodesTo(StreamOutput out, List<NodeResponse> nodes) throws IOException {
            out.writeList(nodes);
        }
    }

    @Override
    protected Response newResponse(Request request, List<NodeResponse> nodes, List<FailedNodeException> failures) {
        return new Response(clusterService.getClusterName(), nodes, failures);
    }

    @Override
    protected NodeRequest newNodeRequest(Request request) {
        return new NodeRequest();
    }

    @Override
    protected NodeResponse newNodeResponse(StreamInput in) throws IOException {
        return new NodeResponse(in);
    }

    @Override
    protected NodeResponse nodeOperation(NodeRequest request) {
        String nodeId = clusterService.localNode().getId();
        return new NodeResponse(clusterService.localNode(), metrics.read(nodeId));
    }
}
