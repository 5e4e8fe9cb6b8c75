/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.FailedNodeException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.node.NodeClosedException;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.simhash.metrics.MetricsAction.Metrics;
import org.opensearch.simhash.metrics.MetricsText.MetricsFormat;
import org.opensearch.simhash.request.NodesAction;

/**
 * Writes the answers of nodes. A metric shows which of several nodes did not answer; if none did, the answer is an
 * error.
 */
final class MetricsListener extends RestResponseListener<NodesAction.Response<Metrics>> {

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
    public RestResponse buildResponse(NodesAction.Response<Metrics> response) throws IOException {
        requireSome(response);
        MetricsText text = new MetricsText();
        Set<String> taken = new HashSet<>();
        for (NodesAction.NodeResponse<Metrics> node : response.getNodes()) {
            String label = isLabelled ? label(node.getNode(), taken) : null;
            text.add(label, node.value().all());
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

    private void requireSome(NodesAction.Response<Metrics> response) {
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

    /** The node's name, with its id if the name is taken. */
    private static String label(DiscoveryNode node, Set<String> taken) {
        return taken.add(node.getName()) ? node.getName() : node.getName() + "/" + node.getId();
    }

    private static List<Metric> up(int value) {
        return List.of(
                Metric.Builder.gauge("node_up", "Whether the node answered; one that did not has its id as label.")
                        .add(value)
                        .build());
    }
}
