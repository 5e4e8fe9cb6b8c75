/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.metrics;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.usage.UsageService;

/** Asks nodes for their metrics. Merges and writes the answers on a management thread. */
public final class TransportMetricsAction
        extends TransportNodesAction<
                MetricsAction.Request, MetricsAction.Response, MetricsAction.NodeRequest, MetricsAction.NodeResponse> {

    private final NodeMetrics metrics;

    @Inject
    public TransportMetricsAction(
            ThreadPool threadPool,
            ClusterService clusterService,
            TransportService transportService,
            ActionFilters filters,
            NodeMetrics metrics,
            UsageService usage) {
        super(
                MetricsAction.NAME,
                threadPool,
                clusterService,
                transportService,
                filters,
                MetricsAction.Request::new,
                MetricsAction.NodeRequest::new,
                ThreadPool.Names.MANAGEMENT,
                ThreadPool.Names.MANAGEMENT,
                MetricsAction.NodeResponse.class);
        this.metrics = metrics;
        metrics.requests().usage(usage);
    }

    @Override
    protected MetricsAction.Response newResponse(
            MetricsAction.Request request, List<MetricsAction.NodeResponse> nodes, List<FailedNodeException> failures) {
        return new MetricsAction.Response(clusterService.getClusterName(), nodes, failures);
    }

    @Override
    protected MetricsAction.NodeRequest newNodeRequest(MetricsAction.Request request) {
        return new MetricsAction.NodeRequest();
    }

    @Override
    protected MetricsAction.NodeResponse newNodeResponse(StreamInput in) throws IOException {
        return new MetricsAction.NodeResponse(in);
    }

    @Override
    protected MetricsAction.NodeResponse nodeOperation(MetricsAction.NodeRequest request) {
        String nodeId = clusterService.localNode().getId();
        return new MetricsAction.NodeResponse(clusterService.localNode(), metrics.read(nodeId));
    }
}
