/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.LatchedActionListener;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.ingest.IngestService;
import org.opensearch.transport.client.Client;

/**
 * Sends bulk requests one after the other, waits for each, tries again later what the cluster has no room for (HTTP 429), and keeps
 * to a number of documents per second. A cancelled task stops between requests, at once when it waits. One thread.
 */
final class BulkWrites {

    private static final BackoffPolicy BACKOFF = BackoffPolicy.exponentialBackoff(TimeValue.timeValueMillis(500), 11);
    private static final long PATIENCE_MILLIS = 100;

    private final Client client;
    private final DeduplicateTask task;
    private final BackoffPolicy backoff;
    private final float perSecond;
    private final Outcome outcome;
    private long nextStart = System.nanoTime();

    BulkWrites(Client client, DeduplicateTask task, float perSecond, Outcome outcome) {
        this(client, task, perSecond, outcome, BACKOFF);
    }

    /** @param backoff how often to try again what is rejected, and how long to wait each time */
    BulkWrites(Client client, DeduplicateTask task, float perSecond, Outcome outcome, BackoffPolicy backoff) {
        this.client = client;
        this.task = task;
        this.perSecond = perSecond;
        this.outcome = outcome;
        this.backoff = backoff;
    }

    /** The document is written as it is: no ingest pipeline runs, be it the index's, final, or of the system. */
    static IndexRequest asItIs(IndexRequest request) {
        return request.setPipeline(IngestService.NOOP_PIPELINE_NAME)
                .setFinalPipeline(IngestService.NOOP_PIPELINE_NAME)
                .setSystemIngestPipeline(IngestService.NOOP_PIPELINE_NAME)
                .isPipelineResolved(true);
    }

    /** Sends one request for each item, and counts conflicts and failures; the others go to the consumer. */
    <T> void write(List<T> items, Function<T, DocWriteRequest<?>> request, BiConsumer<T, DocWriteResponse> written) {
        send(items, all -> all, request, (item, answer) -> {
            if (succeeded(answer)) {
                written.accept(item, answer.getResponse());
            }
        });
    }

    /**
     * Sends one request for each item; the consumer gets each item with the last answer to it.
     *
     * @param sendable is asked when it is the items' turn, and before each further try: what it leaves out is not sent and
     *     gets no answer
     */
    <T> void send(
            List<T> items,
            UnaryOperator<List<T>> sendable,
            Function<T, DocWriteRequest<?>> request,
            BiConsumer<T, BulkItemResponse> answered) {
        if (items.isEmpty()) {
            return;
        }
        waitUntil(nextStart);
        List<T> rest = sendable.apply(items);
        nextStart = System.nanoTime() + (long) (rest.size() / perSecond * 1e9);
        Iterator<TimeValue> delays = backoff.iterator();
        while (rest.isEmpty() == false) {
            BulkItemResponse[] answers = answers(rest.stream().map(request).toList());
            boolean isLast = delays.hasNext() == false;
            List<T> rejected = new ArrayList<>();
            for (int i = 0; i < answers.length; i++) {
                if (isLast || isRejected(answers[i]) == false) {
                    answered.accept(rest.get(i), answers[i]);
                } else {
                    rejected.add(rest.get(i));
                }
            }
            if (rejected.isEmpty()) {
                return;
            }
            waitUntil(System.nanoTime() + delays.next().nanos());
            rest = sendable.apply(rejected);
        }
    }

    /** In the order of the requests. Where there is no room for the whole, there is none for each. */
    private BulkItemResponse[] answers(List<DocWriteRequest<?>> requests) {
        task.ensureNotCancelled();
        PlainActionFuture<BulkResponse> answer = new PlainActionFuture<>();
        CountDownLatch isDone = new CountDownLatch(1);
        client.bulk(new BulkRequest().add(requests), new LatchedActionListener<>(answer, isDone));
        await(isDone);
        try {
            return answer.actionGet().getItems();
        } catch (RuntimeException e) {
            if (ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)) != RestStatus.TOO_MANY_REQUESTS) {
                throw e;
            }
            return requests.stream().map(request -> rejected(request, e)).toArray(BulkItemResponse[]::new);
        }
    }

    private static BulkItemResponse rejected(DocWriteRequest<?> request, RuntimeException e) {
        return new BulkItemResponse(
                0, request.opType(), new BulkItemResponse.Failure(request.index(), request.id(), e));
    }

    /** Whether it did; counts a conflict or a failure. */
    boolean succeeded(BulkItemResponse answer) {
        if (isConflict(answer)) {
            outcome.conflicts++;
        } else if (answer.isFailed()) {
            fail(answer);
        }
        return answer.isFailed() == false;
    }

    void fail(BulkItemResponse item) {
        outcome.fail(item.getIndex(), item.getId(), item.getFailureMessage(), item.status());
    }

    /** Nothing was written, and that is certain. */
    static boolean isRefused(BulkItemResponse item) {
        return isConflict(item) || isRejected(item);
    }

    private static boolean isRejected(BulkItemResponse item) {
        return item.isFailed() && item.status() == RestStatus.TOO_MANY_REQUESTS;
    }

    /** The document was changed, or is gone, since it was read. */
    static boolean isConflict(BulkItemResponse item) {
        return item.isFailed() && (item.status() == RestStatus.CONFLICT || item.status() == RestStatus.NOT_FOUND);
    }

    private void waitUntil(long nanoTime) {
        CountDownLatch never = new CountDownLatch(1);
        for (long wait = nanoTime - System.nanoTime(); wait > 0; wait = nanoTime - System.nanoTime()) {
            task.ensureNotCancelled();
            await(never, Math.min(PATIENCE_MILLIS, 1 + wait / 1_000_000));
        }
    }

    private void await(CountDownLatch isDone) {
        while (await(isDone, PATIENCE_MILLIS) == false) {
            task.ensureNotCancelled();
        }
    }

    private static boolean await(CountDownLatch isDone, long millis) {
        try {
            return isDone.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OpenSearchException("interrupted", e);
        }
    }
}
