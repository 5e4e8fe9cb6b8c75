/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.stats;

import java.io.IOException;
import java.util.List;
import java.util.Map;
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
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;

/** The counts of the plugin on some or all nodes. */
public final class StatsAction
        extends TransportNodesAction<
                StatsAction.Request, StatsAction.Response, StatsAction.NodeRequest, StatsAction.NodeResponse> {

    public static final String NAME = "cluster:monitor/simhash/stats";
    public static final ActionType<Response> INSTANCE = new ActionType<>(NAME, Response::new);

    private final NodeCounts counts;

    @Inject
    public StatsAction(
            ThreadPool threadPool,
            ClusterService clusterService,
            TransportService transportService,
            ActionFilters filters,
            NodeCounts counts) {
        super(
                NAME,
                threadPool,
                clusterService,
                transportService,
                filters,
                Request::new,
                NodeRequest::new,
                ThreadPool.Names.MANAGEMENT,
                NodeResponse.class);
        this.counts = counts;
    }

    /** Node ids, and sections of {@link NodeCounts}. */
    public static final class Request extends BaseNodesRequest<Request> {

        private final List<String> sections;

        Request(List<String> sections, String... nodes) {
            super(nodes);
            this.sections = List.copyOf(sections);
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.sections = in.readStringList();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            out.writeStringCollection(sections);
        }

        List<String> sections() {
            return sections;
        }
    }

    static final class NodeRequest extends TransportRequest {

        private final Request request;

        NodeRequest(Request request) {
            this.request = request;
        }

        NodeRequest(StreamInput in) throws IOException {
            super(in);
            this.request = new Request(in);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            request.writeTo(out);
        }

        List<String> sections() {
            return request.sections();
        }
    }

    /** Counts of one node by section. A node of another release may have others. */
    static final class NodeResponse extends BaseNodeResponse implements ToXContentFragment {

        private final Map<String, Object> sections;

        NodeResponse(DiscoveryNode node, Map<String, Object> sections) {
            super(node);
            this.sections = sections;
        }

        @SuppressWarnings("unchecked")
        NodeResponse(StreamInput in) throws IOException {
            super(in);
            this.sections = (Map<String, Object>) in.readGenericValue();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            out.writeGenericValue(sections);
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.field("name", getNode().getName());
            for (Map.Entry<String, Object> section : sections.entrySet()) {
                builder.field(section.getKey(), section.getValue());
            }
            return builder;
        }
    }

    public static final class Response extends BaseNodesResponse<NodeResponse> implements ToXContentFragment {

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

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject("nodes");
            for (NodeResponse node : getNodes()) {
                builder.startObject(node.getNode().getId());
                node.toXContent(builder, params);
                builder.endObject();
            }
            return builder.endObject();
        }
    }

    @Override
    protected Response newResponse(Request request, List<NodeResponse> nodes, List<FailedNodeException> failures) {
        return new Response(clusterService.getClusterName(), nodes, failures);
    }

    @Override
    protected NodeRequest newNodeRequest(Request request) {
        return new NodeRequest(request);
    }

    @Override
    protected NodeResponse newNodeResponse(StreamInput in) throws IOException {
        return new NodeResponse(in);
    }

    @Override
    protected NodeResponse nodeOperation(NodeRequest request) {
        return new NodeResponse(clusterService.localNode(), counts.sections(request.sections()));
    }
}
