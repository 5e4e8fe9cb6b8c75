/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import java.util.function.Consumer;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.nearduplicate.arrival.BulkAnswer;

/** The {@link BulkAnswer} of each bulk, in its context. */
public final class BulkAnswers {

    static final String KEY = "_simhash_bulk_answer";

    private BulkAnswers() {}

    /** Is told of a document that is not stored: by which name of its index it was answered. */
    @FunctionalInterface
    public interface Refused {
        void accept(String index, String id, BulkAnswer answer);
    }

    /** Of the bulk that runs in a context; one that is never given when there is none. */
    public static BulkAnswer of(ThreadContext context) {
        BulkAnswer answer = context.getTransient(KEY);
        return answer == null ? new BulkAnswer() : answer;
    }

    static BulkAnswer begin(ThreadContext context) {
        BulkAnswer answer = new BulkAnswer();
        context.putTransient(KEY, answer);
        return answer;
    }

    /**
     * Gives the answer before whoever sent the bulk hears of it, and may delete what it stored.
     *
     * @param refused is told of each document that is not stored, before that
     */
    static <Response> ActionListener<Response> telling(
            BulkAnswer answer, Refused refused, ActionListener<Response> listener) {
        return first(
                items -> {
                    boolean certain = true;
                    for (BulkItemResponse item : items) {
                        if (isRefused(item) && item.getId() != null) {
                            refused.accept(item.getIndex(), item.getId(), answer);
                        }
                        certain &= item.isFailed() == false || isRefused(item);
                    }
                    if (certain) {
                        answer.give();
                    }
                },
                listener);
    }

    /** Hands the items of an answer to somebody, who may change them, before a listener hears of it. */
    static <Response> ActionListener<Response> first(
            Consumer<BulkItemResponse[]> sees, ActionListener<Response> listener) {
        return ActionListener.delegateFailure(listener, (l, response) -> {
            if (response instanceof BulkResponse bulk) {
                sees.accept(bulk.getItems());
            }
            l.onResponse(response);
        });
    }

    /**
     * Whether an item was certainly not done: what ran into a time out, or lost its node, may still be stored later on. What a
     * pipeline ended never came to a shard.
     */
    private static boolean isRefused(BulkItemResponse item) {
        return BulkAnswerOrder.isEndedByPipeline(item)
                || (item.isFailed()
                        && item.getFailure().getStatus().getStatus() < RestStatus.INTERNAL_SERVER_ERROR.getStatus());
    }
}
