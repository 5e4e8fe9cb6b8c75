/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.transport.client.Client;

/**
 * Follows the passes on other nodes by their tasks, for the job's status only. If the caller may not list tasks, the
 * status shows less.
 */
final class RemotePasses {

    private static final Logger LOGGER = LogManager.getLogger(RemotePasses.class);
    private static final long PAUSE_NANOS = 500_000_000;

    private final Client client;
    private final TaskId job;
    private final JobTask task;
    private volatile boolean isAsking;
    private volatile boolean isForbidden;
    private final AtomicInteger round = new AtomicInteger();
    private long lastAsked = System.nanoTime();

    /** @param job id of the task */
    RemotePasses(Client client, TaskId job, JobTask task) {
        this.client = client;
        this.job = job;
        this.task = task;
    }

    /** Asks for their progress from time to time, without waiting. Called by one thread. */
    void look() {
        if (isForbidden || isAsking || System.nanoTime() - lastAsked < PAUSE_NANOS) {
            return;
        }
        isAsking = true;
        lastAsked = System.nanoTime();
        int asked = round.get();
        ListTasksRequest request = new ListTasksRequest()
                .setParentTaskId(job)
                .setActions(PairsAction.NAME)
                .setDetailed(true);
        client.admin()
                .cluster()
                .listTasks(
                        request,
                        ActionListener.runAfter(
                                ActionListener.wrap(response -> show(response, asked), this::notListed),
                                () -> isAsking = false));
    }

    private void notListed(Exception e) {
        LOGGER.debug("passes not listed", e);
        // Each refusal would be a line in the audit log.
        isForbidden |= ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)) == RestStatus.FORBIDDEN;
    }

    /** No pass runs any more. A late answer is ignored. */
    void end() {
        round.incrementAndGet();
        task.remote(0, 0, false);
    }

    private void show(ListTasksResponse response, int asked) {
        if (asked != round.get()) {
            return;
        }
        List<PassTask.Status> remote = new ArrayList<>();
        boolean allJoin = true;
        for (TaskInfo pass : response.getTasks()) {
            if (pass.getStatus() instanceof PassTask.Status status) {
                allJoin &= status.phase() == Phase.JOIN;
                if (pass.getTaskId().getNodeId().equals(job.getNodeId()) == false) {
                    remote.add(status);
                }
            }
        }
        task.remote(
                remote.stream().mapToLong(PassTask.Status::read).sum(),
                remote.stream().mapToLong(PassTask.Status::compared).sum(),
                allJoin && remote.isEmpty() == false);
    }

    /** Cancels the running passes. */
    void cancel(String reason) {
        CancelTasksRequest request = new CancelTasksRequest();
        request.setParentTaskId(job).setActions(PairsAction.NAME);
        request.setReason(reason);
        client.admin()
                .cluster()
                .cancelTasks(request, ActionListener.wrap(ended -> {}, e -> LOGGER.debug("passes not cancelled", e)));
    }
}
