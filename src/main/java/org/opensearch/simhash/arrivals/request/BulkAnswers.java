/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkItemResponse.Failure.FailureSource;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer.ItemAnswer;
import org.opensearch.simhash.arrivals.arrival.Original.Version;

/** The {@link BulkAnswer} of each bulk, in its context. */
public final class BulkAnswers {

    static final String KEY = "_simhash_bulk_answer";

    private BulkAnswers() {}

    /** Without a bulk, one that stays open. */
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
     * Closes the answer before the client gets it and may delete the documents.
     *
     * @param window knows the answer before that
     */
    static <Response> ActionListener<Response> telling(
            BulkAnswer answer, BiConsumer<BulkAnswer, List<ItemAnswer>> window, ActionListener<Response> listener) {
        return first(
                items -> {
                    window.accept(answer, answers(items));
                    if (Arrays.stream(items).allMatch(item -> item.isFailed() == false || isRefused(item))) {
                        answer.give();
                    }
                },
                listener);
    }

    private static List<ItemAnswer> answers(BulkItemResponse[] items) {
        List<ItemAnswer> answers = new ArrayList<>();
        for (BulkItemResponse item : items) {
            if (item.getId() == null) {
                continue; // no entry of the window has its id
            }
            if (isRefused(item)) {
                answers.add(new ItemAnswer(item.getIndex(), item.getId(), null));
            } else if (item.isFailed() == false && item.getOpType() != OpType.DELETE) {
                DocWriteResponse stored = item.getResponse();
                Version version = new Version(stored.getSeqNo(), stored.getPrimaryTerm());
                answers.add(new ItemAnswer(item.getIndex(), item.getId(), version));
            }
        }
        return answers;
    }

    /** Lets a consumer see, and change, an answer before the listener. */
    static <Response> ActionListener<Response> first(
            Consumer<BulkItemResponse[]> sees, ActionListener<Response> listener) {
        return ActionListener.delegateFailure(listener, (l, response) -> {
            if (response instanceof BulkResponse bulk) {
                sees.accept(bulk.getItems());
            }
            l.onResponse(response);
        });
    }

    /** Whether an item was certainly not written. After a timeout or a lost node it may still be; after a pipeline ended it, never. */
    private static boolean isRefused(BulkItemResponse item) {
        return isEndedByPipeline(item)
                || (item.isFailed()
                        && item.getFailure().getStatus().getStatus() < RestStatus.INTERNAL_SERVER_ERROR.getStatus());
    }

    /**
     * Sorts the items that a pipeline ended as in the request; the others are in place. OpenSearch 3.8 mixes them up if a
     * pipeline both drops and fails documents, and clients, which go by position, would not send a failed document again.
     *
     * <p>An item's id is its place, except in the bulk of a second run, for documents whose index a pipeline changes. If the
     * ids are not exactly the places of these items, some belong to a second run, and nothing is sorted.
     */
    static void sort(BulkItemResponse[] items) {
        BulkItemResponse[] ended = new BulkItemResponse[items.length];
        for (BulkItemResponse item : items) {
            if (isEndedByPipeline(item)) {
                int place = item.getItemId();
                if (place >= items.length || isEndedByPipeline(items[place]) == false || ended[place] != null) {
                    return;
                }
                ended[place] = item;
            }
        }
        for (int place = 0; place < items.length; place++) {
            if (ended[place] != null) {
                items[place] = ended[place];
            }
        }
    }

    /** Whether a pipeline failed or dropped a document. */
    private static boolean isEndedByPipeline(BulkItemResponse item) {
        if (item.isFailed()) {
            return item.getFailure().getSource() == FailureSource.PIPELINE;
        }
        DocWriteResponse response = item.getResponse();
        return response.getResult() == DocWriteResponse.Result.NOOP
                && response.getShardId().getIndex().getUUID().equals(IndexMetadata.INDEX_UUID_NA_VALUE);
    }
}
