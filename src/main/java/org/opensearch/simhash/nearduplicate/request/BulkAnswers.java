/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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

        /** A document is not stored: by which name of its index it was answered. */
        void refused(String index, String id, BulkAnswer answer);

        /** Whether a document was on its way to another index than the one that has it now. */
        boolean isMoved(String index, String id, BulkAnswer answer);

        /** A document is stored in this index: the alias, or the data stream, that it was sent to rolled over meanwhile. */
        void moved(String index, String id, BulkAnswer answer);
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
     * @param fates is told before that
     */
    static <Response> ActionListener<Response> telling(
            BulkAnswer answer, Fates fates, ActionListener<Response> listener) {
        return first(
                items -> {
                    tell(items, answer, fates);
                    if (Arrays.stream(items).allMatch(item -> item.isFailed() == false || isRefused(item))) {
                        answer.give();
                    }
                },
                listener);
    }

    private static void tell(BulkItemResponse[] items, BulkAnswer answer, Fates fates) {
        List<BulkItemResponse> moved = new ArrayList<>();
        for (BulkItemResponse item : items) {
            if (isRefused(item) && item.getId() != null) {
                fates.refused(item.getIndex(), item.getId(), answer);
            } else if (isWritten(item) && fates.isMoved(item.getIndex(), item.getId(), answer)) {
                moved.add(item);
            }
        }
        if (moved.isEmpty() == false) {
            // Of several by one id nobody knows which it was that came.
            Map<String, Long> byId = Arrays.stream(items)
                    .filter(item -> item.getId() != null)
                    .collect(Collectors.groupingBy(BulkItemResponse::getId, Collectors.counting()));
            moved.stream()
                    .filter(item -> byId.get(item.getId()) == 1)
                    .forEach(item -> fates.moved(item.getIndex(), item.getId(), answer));
        }
    }

    private static boolean isWritten(BulkItemResponse item) {
        return item.isFailed() == false && item.getOpType() != OpType.DELETE;
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
