/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.admin.cluster.node.tasks.get.GetTaskAction;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.jobs.job.JobStatus.Deletion;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.OriginSettingClient;

/**
 * Finds other jobs that delete from the same index by another survivor order. Each could delete what the other keeps. With the
 * same order, both keep the same documents.
 */
public record RivalJobs(Client client, TaskId self) {

    private static final String DELETING = "indices:data/write/simhash/*";

    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);

    /**
     * Throws if there is such a job, or if that cannot be found out. The job's own task must show first what it deletes from, so
     * that of two jobs at least one sees the other.
     */
    public void refuse(Deletion wanted) {
        for (TaskInfo job : jobs()) {
            if (job.getTaskId().equals(self) == false
                    && job.getStatus() instanceof JobStatus status
                    && status.deletion() != null) {
                refuse(wanted, job.getTaskId(), status.deletion());
            }
        }
    }

    private static void refuse(Deletion wanted, TaskId task, Deletion there) {
        List<String> common =
                wanted.indices().stream().filter(there.indices()::contains).toList();
        if (common.isEmpty() == false && wanted.survivor().equals(there.survivor()) == false) {
            throw new OpenSearchStatusException(
                    "[survivor] must be the same in jobs that delete from the same index at the same time, got: "
                            + wanted.survivor() + ", while task [" + task + "] deletes from " + common + " by "
                            + there.survivor(),
                    RestStatus.CONFLICT);
        }
    }

    /** The runs of all jobs, this one too. Throws if that cannot be found out. */
    public Set<String> runs() {
        return jobs().stream()
                .map(TaskInfo::getStatus)
                .filter(JobStatus.class::isInstance)
                .map(status -> ((JobStatus) status).run())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private List<TaskInfo> jobs() {
        try {
            return list(client, DELETING);
        } catch (RuntimeException e) {
            throw new OpenSearchStatusException(
                    "[survivor] must be the same in jobs that delete from the same index at the same time, and it cannot"
                            + " be told which jobs there are, got: " + e.getMessage(),
                    RestStatus.SERVICE_UNAVAILABLE,
                    e);
        }
    }

    /** The jobs of an action or a pattern. With the plugin's own rights: the caller need not see all tasks for a delete to be safe. */
    public static List<TaskInfo> list(Client client, String actions) {
        ListTasksRequest request =
                new ListTasksRequest().setActions(actions).setDetailed(true).setTimeout(PATIENCE);
        ListTasksResponse response = new OriginSettingClient(client, GetTaskAction.TASKS_ORIGIN)
                .admin()
                .cluster()
                .listTasks(request)
                .actionGet(2 * PATIENCE.millis());
        response.rethrowFailures("jobs");
        return response.getTasks();
    }
}
