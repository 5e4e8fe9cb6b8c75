/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.delete.DeleteResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.job.TestTask;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.client.NoOpClient;
import org.opensearch.threadpool.ThreadPool;

/** What a cluster without room rejects is sent again, and nothing else; every document gets its own answer. */
public class BulkWritesTests extends OpenSearchTestCase {

    private static final TimeValue SOON = TimeValue.timeValueMillis(1);

    private final JobTask task = TestTask.create();
    private final JobOutcome outcome = new JobOutcome();
    private final Map<String, RestStatus> answered = new TreeMap<>();

    /** Answers requests one by one. */
    private static class Cluster extends NoOpClient {

        private final List<Function<String, RestStatus>> answers;
        private final List<List<String>> sent = new ArrayList<>();

        /** @param answers to each request: the status of an id, or null when the whole request is rejected */
        Cluster(List<Function<String, RestStatus>> answers) {
            super("bulk");
            this.answers = answers;
        }

        @Override
        @SuppressWarnings("unchecked")
        protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                ActionType<Response> action, Request request, ActionListener<Response> listener) {
            List<DocWriteRequest<?>> requests = ((BulkRequest) request).requests();
            Function<String, RestStatus> answer = answers.get(Math.min(sent.size(), answers.size() - 1));
            sent.add(requests.stream().map(DocWriteRequest::id).toList());
            if (answer == null) {
                listener.onFailure(new OpenSearchRejectedExecutionException("no room"));
                return;
            }
            BulkItemResponse[] items = new BulkItemResponse[requests.size()];
            for (int i = 0; i < items.length; i++) {
                items[i] = item(
                        i, requests.get(i).id(), answer.apply(requests.get(i).id()));
            }
            listener.onResponse((Response) new BulkResponse(items, 1));
        }

        private static BulkItemResponse item(int position, String id, RestStatus status) {
            return status == RestStatus.OK
                    ? new BulkItemResponse(
                            position,
                            DocWriteRequest.OpType.DELETE,
                            new DeleteResponse(new ShardId("i", "u", 0), id, 1, 1, 1, true))
                    : new BulkItemResponse(
                            position,
                            DocWriteRequest.OpType.DELETE,
                            new BulkItemResponse.Failure("i", id, new OpenSearchStatusException("as told", status)));
        }
    }

    private BulkWrites writes(Cluster cluster, BackoffPolicy backoff) {
        return new BulkWrites(cluster, task, outcome, new Retries(task::ensureNotCancelled, backoff));
    }

    private static Function<String, RestStatus> all(RestStatus status) {
        return id -> status;
    }

    private static Function<String, RestStatus> only(String rejected) {
        return id -> rejected.contains(id) ? RestStatus.TOO_MANY_REQUESTS : RestStatus.OK;
    }

    private void send(BulkWrites writes, String... ids) {
        writes.send(List.of(ids), all -> all, id -> new DeleteRequest("i", id), (id, answer) -> {
            assertEquals("the answer is that of the document", id, answer.getId());
            RestStatus status = answer.isFailed() ? answer.status() : RestStatus.OK;
            assertNull("one answer", answered.put(id, status));
        });
    }

    public void testSendsAgainWhatWasRejected() {
        try (Cluster cluster = new Cluster(List.of(only("bc"), only("c"), all(RestStatus.OK)))) {
            send(writes(cluster, BackoffPolicy.constantBackoff(SOON, 5)), "a", "b", "c", "d");
            assertEquals(List.of(List.of("a", "b", "c", "d"), List.of("b", "c"), List.of("c")), cluster.sent);
            assertEquals(
                    Map.of("a", RestStatus.OK, "b", RestStatus.OK, "c", RestStatus.OK, "d", RestStatus.OK), answered);
        }
    }

    public void testEachRequestIsBuiltOnce() {
        List<String> built = new ArrayList<>();
        try (Cluster cluster = new Cluster(List.of(only("b"), all(RestStatus.OK)))) {
            writes(cluster, BackoffPolicy.constantBackoff(SOON, 5))
                    .write(
                            List.of("a", "b"),
                            UnaryOperator.identity(),
                            id -> {
                                built.add(id);
                                return new DeleteRequest("i", id);
                            },
                            (id, answer) -> answered.put(id, RestStatus.OK));
            assertEquals(List.of(List.of("a", "b"), List.of("b")), cluster.sent);
        }
        assertEquals(List.of("a", "b"), built);
    }

    public void testAConflictDoesNotKeepTheRejectedFromBeingSentAgain() {
        Function<String, RestStatus> mixed = id -> id.equals("a") ? RestStatus.CONFLICT : RestStatus.TOO_MANY_REQUESTS;
        List<String> written = new ArrayList<>();
        try (Cluster cluster = new Cluster(List.of(mixed, all(RestStatus.OK)))) {
            writes(cluster, BackoffPolicy.constantBackoff(SOON, 5))
                    .write(
                            List.of("a", "b"),
                            UnaryOperator.identity(),
                            id -> new DeleteRequest("i", id),
                            (id, answer) -> written.add(id));
            assertEquals(List.of(List.of("a", "b"), List.of("b")), cluster.sent);
        }
        assertEquals(List.of("b"), written);
        assertEquals(1, outcome.count(JobCount.VERSION_CONFLICTS));
        assertEquals(List.of(), outcome.failures());
    }

    public void testAWholeRequestThatIsRejectedIsSentAgain() {
        List<Function<String, RestStatus>> answers = new ArrayList<>();
        answers.add(null);
        answers.add(all(RestStatus.OK));
        try (Cluster cluster = new Cluster(answers)) {
            send(writes(cluster, BackoffPolicy.constantBackoff(SOON, 5)), "a", "b");
            assertEquals(List.of(List.of("a", "b"), List.of("a", "b")), cluster.sent);
            assertEquals(Map.of("a", RestStatus.OK, "b", RestStatus.OK), answered);
        }
    }

    public void testGivesUpInTheEnd() {
        List<Function<String, RestStatus>> answers = new ArrayList<>();
        answers.add(null);
        answers.add(only("b"));
        try (Cluster cluster = new Cluster(answers)) {
            send(writes(cluster, BackoffPolicy.constantBackoff(SOON, 2)), "a", "b");
            assertEquals(3, cluster.sent.size());
            assertEquals(Map.of("a", RestStatus.OK, "b", RestStatus.TOO_MANY_REQUESTS), answered);
        }
    }

    public void testWhatFindsNoRoomInTheEndOrIsForbiddenStopsTheJob() {
        RestStatus status =
                randomFrom(RestStatus.TOO_MANY_REQUESTS, RestStatus.SERVICE_UNAVAILABLE, RestStatus.FORBIDDEN);
        try (Cluster cluster = new Cluster(List.of(id -> id.equals("a") ? status : RestStatus.OK))) {
            writes(cluster, BackoffPolicy.noBackoff())
                    .send(
                            List.of("a", "b", "c"),
                            all -> all,
                            id -> new IndexRequest("i").id(id).source(Map.of("text", "x".repeat(3 << 20))),
                            (id, answer) -> answered.put(id, answer.isFailed() ? answer.status() : RestStatus.OK));
            assertEquals("nothing after them", List.of(List.of("a", "b")), cluster.sent);
        }
        assertEquals(Map.of("a", status, "b", RestStatus.OK), answered);
        assertTrue(outcome.isStopped());
        assertEquals(status, outcome.failures().getFirst().status());
        assertEquals(
                "the job ends early: OpenSearchStatusException[as told]",
                outcome.failures().getFirst().reason());
    }

    /** Otherwise its task would end before what it does, and nobody would know of it. */
    public void testACancelledJobWaitsForWhatIsBeingWritten() {
        try (Cluster cluster = new Cluster(List.of(all(RestStatus.OK))) {
            @Override
            protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                    ActionType<Response> action, Request request, ActionListener<Response> listener) {
                task.cancel("enough");
                threadPool()
                        .schedule(
                                () -> super.doExecute(action, request, listener),
                                TimeValue.timeValueMillis(300),
                                ThreadPool.Names.GENERIC);
            }
        }) {
            BulkWrites writes = writes(cluster, BackoffPolicy.noBackoff());
            expectThrows(TaskCancelledException.class, () -> send(writes, "a", "b"));
        }
        assertEquals(Map.of("a", RestStatus.OK, "b", RestStatus.OK), answered);
    }

    public void testLargeDocumentsAreSentAFewAtATime() {
        List<String> turns = new ArrayList<>();
        try (Cluster cluster = new Cluster(List.of(all(RestStatus.OK)))) {
            writes(cluster, BackoffPolicy.noBackoff())
                    .send(
                            List.of("a", "b", "c", "d", "e"),
                            turn -> {
                                turns.add(String.join("", turn));
                                return turn;
                            },
                            id -> new IndexRequest("i").id(id).source(Map.of("text", "x".repeat(3 << 20))),
                            (id, answer) -> {});
            assertEquals(List.of(List.of("a", "b"), List.of("c", "d"), List.of("e")), cluster.sent);
        }
        assertEquals("each is looked at in its turn", List.of("ab", "cd", "e"), turns);
    }

    public void testACancelledJobWaitsForNoRoom() throws InterruptedException {
        try (Cluster cluster = new Cluster(List.of(all(RestStatus.TOO_MANY_REQUESTS)))) {
            BulkWrites writes = writes(cluster, BackoffPolicy.constantBackoff(TimeValue.timeValueHours(1), 5));
            Thread canceller = new Thread(() -> task.cancel("enough"));
            canceller.start();
            expectThrows(TaskCancelledException.class, () -> send(writes, "a"));
            canceller.join();
            assertTrue("nothing or once", cluster.sent.size() <= 1);
        }
    }
}
