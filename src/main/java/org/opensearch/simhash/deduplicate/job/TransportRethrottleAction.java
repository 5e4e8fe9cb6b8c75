/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.List;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.TaskOperationFailure;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.tasks.TransportTasksAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Changes the job's pace on its node, and answers with the task. */
public final class TransportRethrottleAction
        extends TransportTasksAction<JobTask, RethrottleAction.Request, ListTasksResponse, TaskInfo> {

    @Inject
    public TransportRethrottleAction(
            ClusterService clusterService, TransportService transportService, ActionFilters filters) {
        super(
                RethrottleAction.NAME,
                clusterService,
                transportService,
                filters,
                RethrottleAction.Request::new,
                ListTasksResponse::new,
                TaskInfo::new,
                ThreadPool.Names.MANAGEMENT);
    }

    @Override
    protected void taskOperation(RethrottleAction.Request request, JobTask task, ActionListener<TaskInfo> listener) {
        task.rethrottle(request.requestsPerSecond());
        listener.onResponse(task.taskInfo(clusterService.localNode().getId(), true));
    }

    @Override
    protected ListTasksResponse newResponse(
            RethrottleAction.Request request,
            List<TaskInfo> tasks,
            List<TaskOperationFailure> taskFailures,
            List<FailedNodeException> nodeFailures) {
        return new ListTasksResponse(tasks, taskFailures, nodeFailures);
    }
}
