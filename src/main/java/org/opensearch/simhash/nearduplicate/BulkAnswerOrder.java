/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import org.opensearch.action.ActionRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.ingest.IngestProcessorException;
import org.opensearch.tasks.Task;

/**
 * Puts the items of a bulk answer into the order of the request. OpenSearch 3.8 does not when a pipeline both drops documents
 * and fails others (it inserts what was indexed into a list of the others that is not sorted). Clients go by position: they would
 * take a document that failed for one that was dropped, and not send it again.
 */
public final class BulkAnswerOrder implements ActionFilter {

    @Override
    public int order() {
        return Integer.MAX_VALUE;
    }

    @Override
    public <Request extends ActionRequest, Response extends ActionResponse> void apply(
            Task task,
            String action,
            Request request,
            ActionRequestMetadata<Request, Response> metadata,
            ActionListener<Response> listener,
            ActionFilterChain<Request, Response> chain) {
        ActionListener<Response> sorting = action.equals(BulkAction.NAME)
                ? ActionListener.delegateFailure(listener, (l, response) -> {
                    if (response instanceof BulkResponse bulk) {
                        sort(bulk.getItems());
                    }
                    l.onResponse(response);
                })
                : listener;
        chain.proceed(task, action, request, sorting);
    }

    /**
     * Items that a pipeline ended know their place; the others, numbered among themselves, fill the places between. Where that
     * is not what is there, nothing is changed.
     */
    static void sort(BulkItemResponse[] items) {
        BulkItemResponse[] sorted = new BulkItemResponse[items.length];
        int ended = 0;
        for (BulkItemResponse item : items) {
            if (isEndedByPipeline(item)) {
                if (item.getItemId() >= items.length || sorted[item.getItemId()] != null) {
                    return;
                }
                sorted[item.getItemId()] = item;
                ended++;
            }
        }
        if (ended < 2) {
            return;
        }
        int place = 0;
        int others = 0;
        for (BulkItemResponse item : items) {
            if (isEndedByPipeline(item) == false) {
                if (item.getItemId() != others++) {
                    return;
                }
                while (sorted[place] != null) {
                    place++;
                }
                sorted[place] = item;
            }
        }
        System.arraycopy(sorted, 0, items, 0, items.length);
    }

    private static boolean isEndedByPipeline(BulkItemResponse item) {
        if (item.isFailed()) {
            return item.getFailure().getCause() instanceof IngestProcessorException;
        }
        DocWriteResponse response = item.getResponse();
        return response.getResult() == DocWriteResponse.Result.NOOP
                && response.getShardId().getIndex().getUUID().equals(IndexMetadata.INDEX_UUID_NA_VALUE);
    }
}
