/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.LatchedActionListener;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.ingest.IngestService;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.jobs.scan.Retries.Rejections;
import org.opensearch.transport.client.Client;

/**
 * Sends bulk requests one by one and waits for each. Retries what the cluster has no room for (HTTP 429). Keeps to the task's
 * documents per second. If there is no room or no shard for too long, or the write is forbidden, the job stops:
 * {@link JobOutcome#stop}. A cancelled task stops between requests. One thread.
 *
 * @param retries for rejected requests
 */
public record BulkWrites(Client client, JobTask task, JobOutcome outcome, Retries retries) {

    /** How long a cancelled job waits for a running request: longer than OpenSearch waits for a shard. */
    private static final TimeValue LAST_PATIENCE = TimeValue.timeValueMinutes(2);

    /** A request may exceed this by one document. Nodes refuse requests that take a tenth of the heap. */
    private static final long MOST_BYTES = 5 << 20;

    public BulkWrites(Client client, JobTask task, JobOutcome outcome) {
        this(client, task, outcome, task.retries());
    }

    /** No ingest pipeline runs, not even a final one or one of the system. */
    public static IndexRequest asItIs(IndexRequest request) {
        return request.setPipeline(IngestService.NOOP_PIPELINE_NAME)
                .setFinalPipeline(IngestService.NOOP_PIPELINE_NAME)
                .setSystemIngestPipeline(IngestService.NOOP_PIPELINE_NAME)
                .isPipelineResolved(true);
    }

    /**
     * Sends one request per item. Counts conflicts and failures; the others go to the consumer.
     *
     * @param sendable as in {@link #send}
     */
    public <T> void write(
            List<T> items,
            UnaryOperator<List<T>> sendable,
            Function<T, DocWriteRequest<?>> request,
            BiConsumer<T, DocWriteResponse> written) {
        send(items, sendable, request, (item, answer) -> {
            if (succeeded(answer)) {
                written.accept(item, answer.getResponse());
            }
        });
    }

    /**
     * Sends one request per item, about 5 MB at once. The consumer gets each item with its last answer.
     *
     * @param sendable asked before each try; items that it leaves out, and items after those that stop the job, get no answer
     */
    public <T> void send(
            List<T> items,
            UnaryOperator<List<T>> sendable,
            Function<T, DocWriteRequest<?>> request,
            BiConsumer<T, BulkItemResponse> answered) {
        boolean isSent = true;
        for (int from = 0; from < items.size() && isSent; ) {
            List<Sending<T>> together = new ArrayList<>();
            for (long bytes = 0; from < items.size() && bytes < MOST_BYTES; from++) {
                Sending<T> sending = new Sending<>(items.get(from), request.apply(items.get(from)));
                bytes += sending.request.ramBytesUsed();
                together.add(sending);
            }
            isSent = sendTogether(together, sendable, answered);
        }
    }

    /** An item and its request, which is built once, because its size decides what is sent with it. */
    private record Sending<T>(T item, DocWriteRequest<?> request) {}

    /** Returns whether the job goes on. */
    private <T> boolean sendTogether(
            List<Sending<T>> together, UnaryOperator<List<T>> sendable, BiConsumer<T, BulkItemResponse> answered) {
        task.awaitTurn(retries);
        List<Sending<T>> rest = sendable(together, sendable);
        task.sends(rest.size());
        Iterator<TimeValue> delays = retries.delays();
        boolean isSent = true;
        while (rest.isEmpty() == false) {
            BulkItemResponse[] answers = answers(
                    rest.stream().<DocWriteRequest<?>>map(Sending::request).toList());
            boolean isLast = delays.hasNext() == false;
            List<Sending<T>> rejected = new ArrayList<>();
            for (int i = 0; i < answers.length; i++) {
                if (isLast || isRejected(answers[i]) == false) {
                    isSent &= stopsJob(answers[i]) == false;
                    answered.accept(rest.get(i).item, answers[i]);
                } else {
                    rejected.add(rest.get(i));
                }
            }
            task.ensureNotCancelled();
            if (rejected.isEmpty()) {
                return isSent;
            }
            retries.pause(delays.next());
            rest = sendable(rejected, sendable);
        }
        return isSent;
    }

    /** The next request would wait a minute, too, or be refused, too. */
    private boolean stopsJob(BulkItemResponse answer) {
        boolean stops = isTransient(answer)
                || failedBy(answer, RestStatus.SERVICE_UNAVAILABLE)
                || failedBy(answer, RestStatus.FORBIDDEN);
        if (stops) {
            outcome.stop(answer.getIndex(), answer.getFailureMessage(), answer.status());
        }
        return stops;
    }

    /** By identity. */
    private static <T> List<Sending<T>> sendable(List<Sending<T>> sendings, UnaryOperator<List<T>> which) {
        Set<T> left = Collections.newSetFromMap(new IdentityHashMap<>());
        left.addAll(which.apply(sendings.stream().map(Sending::item).toList()));
        return sendings.stream().filter(sending -> left.contains(sending.item)).toList();
    }

    /**
     * In the order of the requests. If the whole request is rejected, so is each item. A cancelled job waits, too, so that its
     * writes are counted and end before its task.
     */
    private BulkItemResponse[] answers(List<DocWriteRequest<?>> requests) {
        task.ensureNotCancelled();
        PlainActionFuture<BulkResponse> answer = new PlainActionFuture<>();
        CountDownLatch isDone = new CountDownLatch(1);
        client.bulk(new BulkRequest().add(requests), new LatchedActionListener<>(answer, isDone));
        retries.await(isDone, LAST_PATIENCE);
        try {
            return answer.actionGet().getItems();
        } catch (RuntimeException e) {
            if (Rejections.isOne(e) == false) {
                throw e;
            }
            return requests.stream().map(request -> rejected(request, e)).toArray(BulkItemResponse[]::new);
        }
    }

    private static BulkItemResponse rejected(DocWriteRequest<?> request, RuntimeException e) {
        return new BulkItemResponse(
                0, request.opType(), new BulkItemResponse.Failure(request.index(), request.id(), e));
    }

    /** Documents whose index is gone are conflicts: an update would create it again. */
    public <T> List<T> thoseThere(List<T> items, Function<T, Index> index, ClusterState state) {
        List<T> there = items.stream()
                .filter(item -> state.metadata().index(index.apply(item)) != null)
                .toList();
        outcome.add(JobCount.VERSION_CONFLICTS, items.size() - there.size());
        return there;
    }

    /** Counts a conflict or a failure, and returns whether there was none. */
    public boolean succeeded(BulkItemResponse answer) {
        if (isConflict(answer)) {
            outcome.add(JobCount.VERSION_CONFLICTS, 1);
        } else if (answer.isFailed()) {
            fail(answer);
        }
        return answer.isFailed() == false;
    }

    public void fail(BulkItemResponse item) {
        outcome.fail(item.getIndex(), item.getId(), item.getFailureMessage(), item.status());
    }

    /** Whether certainly nothing was written. */
    public static boolean isRefused(BulkItemResponse item) {
        return isConflict(item)
                || isRejected(item)
                || failedBy(item, RestStatus.BAD_REQUEST)
                || failedBy(item, RestStatus.FORBIDDEN);
    }

    /** Whether the same request may succeed after a while. */
    public static boolean isTransient(BulkItemResponse item) {
        return isRejected(item) || failedBy(item, RestStatus.SERVICE_UNAVAILABLE);
    }

    private static boolean isRejected(BulkItemResponse item) {
        return failedBy(item, RestStatus.TOO_MANY_REQUESTS);
    }

    private static boolean failedBy(BulkItemResponse item, RestStatus status) {
        return item.isFailed() && item.status() == status;
    }

    /** Whether the document was changed or deleted since it was read. */
    public static boolean isConflict(BulkItemResponse item) {
        return failedBy(item, RestStatus.CONFLICT) || failedBy(item, RestStatus.NOT_FOUND);
    }
}
