/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.TaskOperationFailure;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.tasks.BaseTasksRequest;
import org.opensearch.action.support.tasks.TransportTasksAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.tasks.Task;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

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
            this.requestsPerSecond = in.readFloat();
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            out.writeFloat(requestsPerSecond);
        }

        float requestsPerSecond() {
            return requestsPerSecond;
        }

        @Override
        public boolean match(Task task) {
            return task instanceof JobTask;
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
}
