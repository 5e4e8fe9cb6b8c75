/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.stats;

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

/** Asks nodes for their counts. */
public final class TransportStatsAction
        extends TransportNodesAction<
                StatsAction.Request, StatsAction.Response, StatsAction.NodeRequest, StatsAction.NodeResponse> {

    private final NodeCounts counts;

    @Inject
    public TransportStatsAction(
            ThreadPool threadPool,
            ClusterService clusterService,
            TransportService transportService,
            ActionFilters filters,
            NodeCounts counts) {
        super(
                StatsAction.NAME,
                threadPool,
                clusterService,
                transportService,
                filters,
                StatsAction.Request::new,
                StatsAction.NodeRequest::new,
                ThreadPool.Names.MANAGEMENT,
                StatsAction.NodeResponse.class);
        this.counts = counts;
    }

    @Override
    protected StatsAction.Response newResponse(
            StatsAction.Request request, List<StatsAction.NodeResponse> nodes, List<FailedNodeException> failures) {
        return new StatsAction.Response(clusterService.getClusterName(), nodes, failures);
    }

    @Override
    protected StatsAction.NodeRequest newNodeRequest(StatsAction.Request request) {
        return new StatsAction.NodeRequest(request);
    }

    @Override
    protected StatsAction.NodeResponse newNodeResponse(StreamInput in) throws IOException {
        return new StatsAction.NodeResponse(in);
    }

    @Override
    protected StatsAction.NodeResponse nodeOperation(StatsAction.NodeRequest request) {
        return new StatsAction.NodeResponse(clusterService.localNode(), counts.sections(request.sections()));
    }
}
