/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkItemResponse.Failure.FailureSource;
import org.opensearch.cluster.metadata.IndexMetadata;

/**
 * Sorts the items of a bulk answer as in the request. OpenSearch 3.8 mixes them up if a pipeline both drops and fails
 * documents: it inserts the indexed items into an unsorted list. Clients go by position, so they would take a failed
 * document for a dropped one and not send it again.
 *
 * <p>If the order is uncertain, the answer stays as it is. A document whose index a pipeline changes runs through
 * pipelines a second time, in a bulk with its own item ids. The answer does not tell these ids from the others.
 */
final class BulkAnswerOrder {

    private BulkAnswerOrder() {}

    /**
     * Sorts the items that a pipeline ended; the others are in place. An item's id is its place. If the ids are not
     * exactly these items' places, some belong to a second run, and nothing is sorted. A second run's id is lower than
     * its place if the first run ended an item before it.
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
    static boolean isEndedByPipeline(BulkItemResponse item) {
        if (item.isFailed()) {
            return item.getFailure().getSource() == FailureSource.PIPELINE;
        }
        DocWriteResponse response = item.getResponse();
        return response.getResult() == DocWriteResponse.Result.NOOP
                && response.getShardId().getIndex().getUUID().equals(IndexMetadata.INDEX_UUID_NA_VALUE);
    }
}
