/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Asks some or all nodes for what each knows. */
public abstract class NodesAction<V>
        extends TransportNodesAction<
                NodesAction.Request, NodesAction.Response<V>, NodesAction.Request, NodesAction.NodeResponse<V>> {

    @SuppressWarnings({"unchecked", "rawtypes"}) // A class has no type arguments.
    protected NodesAction(
            String name,
            ThreadPool threads,
            ClusterService cluster,
            TransportService transport,
            ActionFilters filters) {
        super(
                name,
                threads,
                cluster,
                transport,
                filters,
                Request::new,
                Request::new,
                ThreadPool.Names.MANAGEMENT,
                ThreadPool.Names.MANAGEMENT,
                (Class<NodeResponse<V>>) (Class) NodeResponse.class);
    }

    /** What all nodes are asked, and each of them. */
    public static final class Request extends BaseNodesRequest<Request> {

        private final List<String> wanted;

        public Request(List<String> wanted, String... nodes) {
            super(nodes);
            this.wanted = List.copyOf(wanted);
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.wanted = MessageForm.read(in).readStringList();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            MessageForm.write(out);
            out.writeStringCollection(wanted);
        }
    }

    public static final class NodeResponse<V> extends BaseNodeResponse {

        /** Of strings, numbers, lists and maps. */
        private final V value;

        private NodeResponse(DiscoveryNode node, V value) {
            super(node);
            this.value = value;
        }

        @SuppressWarnings("unchecked") // as it was written
        private NodeResponse(StreamInput in) throws IOException {
            super(in);
            this.value = (V) MessageForm.read(in).readGenericValue();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            MessageForm.write(out);
            out.writeGenericValue(value);
        }

        public V value() {
            return value;
        }
    }

    /** Stays on the node of the request. */
    public static final class Response<V> extends BaseNodesResponse<NodeResponse<V>> implements ToXContentFragment {

        private Response(ClusterName cluster, List<NodeResponse<V>> nodes, List<FailedNodeException> failures) {
            super(cluster, nodes, failures);
        }

        @Override
        protected List<NodeResponse<V>> readNodesFrom(StreamInput in) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void writeNodesTo(StreamOutput out, List<NodeResponse<V>> nodes) {
            throw new UnsupportedOperationException();
        }

        /** Maps of values, by node. */
        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject("nodes");
            for (NodeResponse<V> node : getNodes()) {
                builder.startObject(node.getNode().getId());
                builder.field("name", node.getNode().getName());
                if (node.value instanceof Map<?, ?> shown) {
                    for (Map.Entry<?, ?> part : shown.entrySet()) {
                        builder.field(String.valueOf(part.getKey()), part.getValue());
                    }
                }
                builder.endObject();
            }
            return builder.endObject();
        }
    }

    protected abstract V answer(List<String> wanted);

    @Override
    protected final Response<V> newResponse(
            Request request, List<NodeResponse<V>> nodes, List<FailedNodeException> failures) {
        return new Response<>(clusterService.getClusterName(), nodes, failures);
    }

    @Override
    protected final Request newNodeRequest(Request request) {
        return request;
    }

    @Override
    protected final NodeResponse<V> newNodeResponse(StreamInput in) throws IOException {
        return new NodeResponse<>(in);
    }

    @Override
    protected final NodeResponse<V> nodeOperation(Request request) {
        return new NodeResponse<>(clusterService.localNode(), answer(request.wanted));
    }
}
