/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.opensearch.action.DocWriteRequest.OpType;
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

    /** Is told what became of the documents of bulks. */
    public interface Fates {

        /** Of a document that is not stored, by whatever name of its index it was answered. */
        void refused(String index, String id, BulkAnswer answer);

        /** Of a document that is stored, the only one of its bulk with its id. */
        void stored(String index, String id, BulkAnswer answer);
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
     * @param fates is told of each document, before that
     */
    static <Response> ActionListener<Response> telling(
            BulkAnswer answer, Fates fates, ActionListener<Response> listener) {
        return first(
                items -> {
                    Set<String> repeated = repeatedIds(items);
                    boolean certain = true;
                    for (BulkItemResponse item : items) {
                        if (isRefused(item)) {
                            if (item.getId() != null) {
                                fates.refused(item.getIndex(), item.getId(), answer);
                            }
                        } else if (item.isFailed()) {
                            certain = false;
                        } else if (item.getOpType() != OpType.DELETE && repeated.contains(item.getId()) == false) {
                            fates.stored(item.getIndex(), item.getId(), answer);
                        }
                    }
                    if (certain) {
                        answer.give();
                    }
                },
                listener);
    }

    private static Set<String> repeatedIds(BulkItemResponse[] items) {
        Set<String> ids = new HashSet<>();
        Set<String> repeated = new HashSet<>();
        for (BulkItemResponse item : items) {
            if (ids.add(item.getId()) == false) {
                repeated.add(item.getId());
            }
        }
        return repeated;
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
