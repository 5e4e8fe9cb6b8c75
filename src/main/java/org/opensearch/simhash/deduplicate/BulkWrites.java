/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.function.Consumer;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.bulk.Retry;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.transport.client.Client;

/**
 * Sends bulk requests one after the other, waits for each, tries again later what the cluster has no room for (HTTP 429), and keeps
 * to a number of documents per second. A cancelled task stops between requests, at once when it waits.
 */
final class BulkWrites {

    private static final TimeValue FIRST_DELAY = TimeValue.timeValueMillis(500);
    private static final int TRIES = 11;
    private static final long CHECK_MILLIS = 100;
    private static final long PATIENCE_MILLIS = 1_000;

    private final Client client;
    private final DeduplicateTask task;
    private final Retry retry;
    private final float perSecond;
    private final Outcome outcome;
    private final Object pause = new Object();
    private long nextStart = System.nanoTime();

    BulkWrites(Client client, DeduplicateTask task, float perSecond, Outcome outcome) {
        this.client = client;
        this.task = task;
        this.retry = new Retry(BackoffPolicy.exponentialBackoff(FIRST_DELAY, TRIES), client.threadPool());
        this.perSecond = perSecond;
        this.outcome = outcome;
    }

    /** Sends, and counts conflicts and failures; the others go to the consumer. */
    void send(BulkRequest request, Consumer<BulkItemResponse> succeeded) {
        if (request.numberOfActions() == 0) {
            return;
        }
        for (BulkItemResponse item : send(request).getItems()) {
            if (item.isFailed() == false) {
                succeeded.accept(item);
            } else if (isConflict(item)) {
                outcome.conflicts++;
            } else {
                fail(item);
            }
        }
    }

    /** Waits for the answer. A cancelled job does not wait for a cluster that has no room, nor try again. */
    BulkResponse send(BulkRequest request) {
        awaitTurn(request.numberOfActions());
        PlainActionFuture<BulkResponse> answer = retry.withBackoff(this::sendUnlessCancelled, request);
        while (true) {
            task.ensureNotCancelled();
            try {
                return answer.actionGet(PATIENCE_MILLIS);
            } catch (OpenSearchTimeoutException e) {
                if (answer.isDone()) {
                    throw e;
                }
            }
        }
    }

    private void sendUnlessCancelled(BulkRequest request, ActionListener<BulkResponse> listener) {
        if (task.isCancelled()) {
            listener.onFailure(new TaskCancelledException("cancelled before a bulk request was sent"));
        } else {
            client.bulk(request, listener);
        }
    }

    void fail(BulkItemResponse item) {
        outcome.fail(item.getIndex(), item.getId(), item.getFailureMessage(), item.status());
    }

    /** The document was changed, or is gone, since it was read. */
    static boolean isConflict(BulkItemResponse item) {
        return item.status() == RestStatus.CONFLICT || item.status() == RestStatus.NOT_FOUND;
    }

    private void awaitTurn(int documents) {
        synchronized (pause) {
            try {
                for (long wait = nextStart - System.nanoTime(); wait > 0; wait = nextStart - System.nanoTime()) {
                    task.ensureNotCancelled();
                    pause.wait(Math.min(CHECK_MILLIS, 1 + wait / 1_000_000));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new OpenSearchException("interrupted", e);
            }
        }
        nextStart = System.nanoTime() + (long) (documents / perSecond * 1e9);
    }
}
