/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.Strings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.job.JobStatus.Deletion;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.job.RivalJobs;
import org.opensearch.simhash.jobs.job.TestTask;
import org.opensearch.test.client.NoOpClient;

/** While a job deletes from an index, no other one may delete from it by another survivor order. */
public class RivalJobsTests extends DeletingTestCase {

    private static final String DELETE = "{\"action\":\"delete\",\"verify\":false,\"archive\":false";
    private static final String LAST = ",\"survivor\":[{\"field\":\"_id\",\"order\":\"desc\"}]}";

    private final CountDownLatch deleting = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicBoolean isFirst = new AtomicBoolean(true);

    private void hold(BulkRequest request) {
        if (deletes(request, INDEX) && isFirst.getAndSet(false)) {
            deleting.countDown();
            try {
                assertTrue(goOn.await(1, TimeUnit.MINUTES));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public void testAnotherOrderIsRefusedWhileAJobDeletes() throws Exception {
        fill(Settings.EMPTY);
        RequestHook.onBulks(this::hold);
        ActionFuture<JobResponse> first = start(DELETE + "}", Float.POSITIVE_INFINITY, 100);
        try {
            assertTrue(deleting.await(1, TimeUnit.MINUTES));
            OpenSearchStatusException refused = expectThrows(
                    OpenSearchStatusException.class, () -> run(DELETE + LAST, Float.POSITIVE_INFINITY, 100));
            assertEquals(RestStatus.CONFLICT, refused.status());
            String node = client().admin()
                    .cluster()
                    .prepareState()
                    .get()
                    .getState()
                    .nodes()
                    .getClusterManagerNodeId();
            assertTrue(
                    refused.getMessage(),
                    refused.getMessage()
                            .startsWith(
                                    "[survivor] must be the same in jobs that delete from the same index at the same time,"
                                            + " got: [_id desc], while task [" + node + ":"));
            assertTrue(
                    refused.getMessage(), refused.getMessage().endsWith("] deletes from [" + INDEX + "] by [_id asc]"));
            assertEquals(
                    "the same order may",
                    0,
                    run(DELETE + "}", Float.POSITIVE_INFINITY, 100).failures().size());
            assertEquals(
                    "a report may",
                    1,
                    run("{\"survivor\":[{\"field\":\"_id\",\"order\":\"desc\"}]}", Float.POSITIVE_INFINITY, 100)
                            .count("passes"));
            // In other indices any order may.
            new RivalJobs(client(), new TaskId("node", 1)).refuse(new Deletion(List.of("other"), "[_id desc]"));
        } finally {
            goOn.countDown();
        }
        first.actionGet();
        assertEquals(Set.of("1", "3"), ids(INDEX));
        run(DELETE + LAST, Float.POSITIVE_INFINITY, 100);
    }

    public void testNothingIsDeletedWhenItCannotBeTold() {
        Deletion wanted = new Deletion(List.of("a"), "[_id asc]");
        FailedNodeException lost = new FailedNodeException("n", "lost", new IOException("gone"));
        try (NoOpClient client = answering(new ListTasksResponse(List.of(), List.of(), List.of(lost)))) {
            OpenSearchStatusException refused = expectThrows(
                    OpenSearchStatusException.class, () -> new RivalJobs(client, new TaskId("node", 1)).refuse(wanted));
            assertEquals(RestStatus.SERVICE_UNAVAILABLE, refused.status());
        }
    }

    private NoOpClient answering(ListTasksResponse answer) {
        return new NoOpClient(getTestName()) {
            @Override
            @SuppressWarnings("unchecked")
            protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                    ActionType<Response> action, Request request, ActionListener<Response> listener) {
                listener.onResponse((Response) answer);
            }
        };
    }

    public void testTheTaskShowsTheRunAndWhatItDeletes() throws IOException {
        JobTask task = TestTask.create();
        assertEquals(task.getStatus(), copyWriteable(task.getStatus(), writableRegistry(), JobStatus::new));
        task.run("r");
        task.deletes(new Deletion(List.of("a", "b"), "[_id asc]"));
        JobStatus status = task.getStatus();
        assertEquals(status, copyWriteable(status, writableRegistry(), JobStatus::new));
        String json = Strings.toString(MediaTypeRegistry.JSON, status);
        assertTrue(
                json,
                json.startsWith(
                        "{\"phase\":\"waiting\",\"run\":\"r\",\"deletes_from\":[\"a\",\"b\"],\"survivor\":\"[_id asc]\","));
    }
}
