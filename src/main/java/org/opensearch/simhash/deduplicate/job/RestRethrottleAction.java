/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import static org.opensearch.rest.action.admin.cluster.RestListTasksAction.listTasksResponseListener;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.OpenSearchException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.request.RestRules;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /_plugins/_simhash/deduplicate/{task}/_rethrottle}, like {@code _delete_by_query/{task}/_rethrottle}. */
public final class RestRethrottleAction extends BaseRestHandler {

    private final Supplier<DiscoveryNodes> nodes;

    public RestRethrottleAction(Supplier<DiscoveryNodes> nodes) {
        this.nodes = nodes;
    }

    @Override
    public String getName() {
        return "simhash_rethrottle_action";
    }

    @Override
    public List<Route> routes() {
        // OpenSearch requires one parameter name per position, and the other routes say {index}.
        return List.of(new Route(RestRequest.Method.POST, "/_plugins/_simhash/deduplicate/{index}/_rethrottle"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        RestRules.requireMeant(request);
        RestRules.requireNoOptions(request);
        TaskId task = task(request.param("index"));
        String typed = request.param("requests_per_second");
        if (typed == null) {
            throw new IllegalArgumentException(
                    "[requests_per_second] must be greater than 0, or -1 for no limit, got: nothing");
        }
        float requestsPerSecond = request.paramAsFloat("requests_per_second", 0);
        // Checks the value.
        WritePace.of(requestsPerSecond, 1);
        String groups = request.param("group_by", "nodes");
        if (nodes.get().nodeExists(task.getNodeId()) == false) {
            throw new ResourceNotFoundException("task [" + task + "] is missing, its node is not in the cluster");
        }
        return channel -> {
            ActionListener<ListTasksResponse> listener = listTasksResponseListener(nodes, groups, channel);
            client.execute(
                    RethrottleAction.INSTANCE,
                    new RethrottleAction.Request(requestsPerSecond).setTaskId(task),
                    ActionListener.wrap(answer -> answer(answer, listener), listener::onFailure));
        };
    }

    /** A single task is asked for, so its absence is the answer. */
    private static void answer(ListTasksResponse answer, ActionListener<ListTasksResponse> listener) {
        for (OpenSearchException failure : answer.getNodeFailures()) {
            throw failure.getCause() instanceof OpenSearchException cause ? cause : failure;
        }
        listener.onResponse(answer);
    }

    private static TaskId task(String typed) {
        try {
            TaskId task = new TaskId(typed);
            if (task.isSet()) {
                return task;
            }
        } catch (IllegalArgumentException malformed) {
            // The error follows.
        }
        throw new IllegalArgumentException("[task] must be the id of a job, node:number, got: " + typed);
    }
}
