/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.schedule;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.admin.cluster.node.tasks.get.GetTaskAction;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.simhash.deduplicate.job.JobStatus;
import org.opensearch.simhash.deduplicate.schedule.ScheduledRun.LastRun;
import org.opensearch.simhash.deduplicate.write.GroupMapping;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.OriginSettingClient;

/**
 * The document of {@code dest} that names the present run and the last one. A write names the version that was read, so
 * only one of two runs can take the document. Immutable.
 *
 * @param seqNo of the version, with {@code term}; negative if there is no document
 * @param running the run that has the document, or null
 * @param last null before the first run
 */
record RunDocument(String index, long seqNo, long term, Running running, LastRun last) {

    static final String ID = "last_run";

    private static final String RUNNING = "running";
    private static final String COMPLETED = "completed";
    private static final String JOBS = "indices:data/write/simhash/deduplicate";
    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);

    /** A run that took the document. It may be dead. */
    record Running(TaskId task, String run) {}

    /** @param index name of an index, or of an alias for one; it may be missing */
    static void read(Client client, String index, ActionListener<RunDocument> listener) {
        client.get(new GetRequest(index, ID), ActionListener.wrap(found -> listener.onResponse(of(index, found)), e -> {
            if (e instanceof IndexNotFoundException) {
                listener.onResponse(new RunDocument(index, -1, 0, null, null));
            } else {
                listener.onFailure(e);
            }
        }));
    }

    private static RunDocument of(String index, GetResponse found) {
        if (found.isExists() == false) {
            return new RunDocument(index, -1, 0, null, null);
        }
        Running running = null;
        LastRun last = null;
        if (found.getSourceAsMap().get(GroupMapping.LAST_RUN) instanceof Map<?, ?> fields) {
            if (fields.get(RUNNING) instanceof Map<?, ?> there
                    && there.get("task") instanceof String task
                    && there.get("run") instanceof String run) {
                running = new Running(new TaskId(task), run);
            }
            if (fields.get(COMPLETED) instanceof Map<?, ?> completed) {
                last = LastRun.of(completed);
            }
        }
        return new RunDocument(index, found.getSeqNo(), found.getPrimaryTerm(), running, last);
    }

    /** Fails with HTTP 409 if a live run has the document. */
    void requireFree(Client client, ActionListener<Void> listener) {
        if (running == null) {
            listener.onResponse(null);
            return;
        }
        // Uses the plugin's own rights, because the caller may not see all tasks.
        new OriginSettingClient(client, GetTaskAction.TASKS_ORIGIN)
                .admin()
                .cluster()
                .listTasks(
                        new ListTasksRequest()
                                .setActions(JOBS)
                                .setDetailed(true)
                                .setTimeout(PATIENCE),
                        ActionListener.wrap(
                                response -> {
                                    if (isThere(response)) {
                                        listener.onFailure(taken());
                                    } else {
                                        listener.onResponse(null);
                                    }
                                },
                                e -> listener.onFailure(untold(e))));
    }

    private boolean isThere(ListTasksResponse response) {
        response.rethrowFailures("jobs");
        for (TaskInfo task : response.getTasks()) {
            // A restarted node reuses the numbers of tasks.
            if (task.getTaskId().equals(running.task())
                    && (task.getStatus() instanceof JobStatus status
                                    && running.run().equals(status.run()) == false)
                            == false) {
                return true;
            }
        }
        return false;
    }

    private Exception taken() {
        return new OpenSearchStatusException(
                "[dest] must be of one run with [new_since] last at a time, got: [" + index + "], where task ["
                        + running.task() + "] is at work",
                RestStatus.CONFLICT);
    }

    private Exception untold(Exception e) {
        return new OpenSearchStatusException(
                "[dest] must be of one run with [new_since] last at a time, got: [" + index
                        + "], of which it cannot be told whether task [" + running.task() + "] is still at work: "
                        + e.getMessage(),
                RestStatus.SERVICE_UNAVAILABLE,
                e);
    }

    /**
     * Stores the document. Blocks.
     *
     * @throws org.opensearch.index.engine.VersionConflictEngineException if somebody changed it
     */
    RunDocument store(Client client, Running nowRunning, LastRun nowLast) {
        Map<String, Object> fields = new HashMap<>();
        if (nowRunning != null) {
            fields.put(RUNNING, Map.of("task", nowRunning.task().toString(), "run", nowRunning.run()));
        }
        if (nowLast != null) {
            fields.put(COMPLETED, nowLast.asMap());
        }
        IndexRequest request = new IndexRequest(index).id(ID).source(Map.of(GroupMapping.LAST_RUN, fields));
        if (seqNo < 0) {
            request.opType(OpType.CREATE);
        } else {
            request.setIfSeqNo(seqNo).setIfPrimaryTerm(term);
        }
        DocWriteResponse stored = client.index(request).actionGet();
        return new RunDocument(index, stored.getSeqNo(), stored.getPrimaryTerm(), nowRunning, nowLast);
    }
}
