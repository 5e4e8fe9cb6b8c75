/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import static org.opensearch.rest.action.admin.cluster.RestListTasksAction.listTasksResponseListener;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.OpenSearchException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.TaskOperationFailure;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.tasks.BaseTasksRequest;
import org.opensearch.action.support.tasks.TransportTasksAction;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.tasks.Task;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** Changes {@code requests_per_second} of a running job. */
public final class RethrottleAction
        extends TransportTasksAction<JobTask, RethrottleAction.Request, ListTasksResponse, TaskInfo> {

    public static final String NAME = "cluster:admin/simhash/rethrottle";
    public static final ActionType<ListTasksResponse> INSTANCE = new ActionType<>(NAME, ListTasksResponse::new);

    @Inject
    public RethrottleAction(ClusterService clusterService, TransportService transportService, ActionFilters filters) {
        super(
                NAME,
                clusterService,
                transportService,
                filters,
                Request::new,
                ListTasksResponse::new,
                TaskInfo::new,
                ThreadPool.Names.MANAGEMENT);
    }

    public static final class Request extends BaseTasksRequest<Request> {

        private final float requestsPerSecond;

        /** @param requestsPerSecond greater than 0, or -1 for no limit */
        public Request(float requestsPerSecond) {
            this.requestsPerSecond = requestsPerSecond;
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.requestsPerSecond = MessageForm.read(in).readFloat();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            MessageForm.write(out);
            out.writeFloat(requestsPerSecond);
        }

        float requestsPerSecond() {
            return requestsPerSecond;
        }

        /** Passes of a job write nothing. */
        @Override
        public boolean match(Task task) {
            return task instanceof JobTask && task.getParentTaskId().isSet() == false;
        }
    }

    @Override
    protected void taskOperation(Request request, JobTask task, ActionListener<TaskInfo> listener) {
        task.rethrottle(request.requestsPerSecond());
        listener.onResponse(task.taskInfo(clusterService.localNode().getId(), true));
    }

    @Override
    protected ListTasksResponse newResponse(
            Request request,
            List<TaskInfo> tasks,
            List<TaskOperationFailure> taskFailures,
            List<FailedNodeException> nodeFailures) {
        return new ListTasksResponse(tasks, taskFailures, nodeFailures);
    }

    /** {@code POST /_plugins/_simhash/deduplicate/{task}/_rethrottle}, like {@code _delete_by_query/{task}/_rethrottle}. */
    public record Route(Supplier<DiscoveryNodes> nodes) implements Endpoint.Work {

        @Override
        public CheckedConsumer<RestChannel, Exception> of(RestRequest request, String[] none, NodeClient client)
                throws IOException {
            Endpoint.requireNoOptions(request);
            TaskId task = task(request.param("index"));
            String typed = request.param("requests_per_second");
            if (typed == null) {
                throw new IllegalArgumentException(
                        "[requests_per_second] must be greater than 0, or -1 for no limit, got: nothing");
            }
            float requestsPerSecond = request.paramAsFloat("requests_per_second", 0);
            // Checks the value.
            WritePace.of(requestsPerSecond);
            String groups = request.param("group_by", "nodes");
            if (nodes.get().nodeExists(task.getNodeId()) == false) {
                throw new ResourceNotFoundException("task [" + task + "] is missing, its node is not in the cluster");
            }
            return channel -> {
                ActionListener<ListTasksResponse> listener = listTasksResponseListener(nodes, groups, channel);
                client.execute(
                        INSTANCE,
                        new Request(requestsPerSecond).setTaskId(task),
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
}
