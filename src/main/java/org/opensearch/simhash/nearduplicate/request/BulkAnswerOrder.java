/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkItemResponse.Failure.FailureSource;
import org.opensearch.cluster.metadata.IndexMetadata;

/**
 * Puts the items of a bulk answer into the order of the request. OpenSearch 3.8 does not when a pipeline both drops documents
 * and fails others (it inserts what was indexed into a list of the others that is not sorted). Clients go by position: they would
 * take a document that failed for one that was dropped, and not send it again.
 *
 * <p>Where it cannot be told which item belongs where, the answer stays as it is: documents whose index a pipeline changes run
 * through pipelines a second time, as a bulk of their own with numbers of its own, which the answer does not tell from the others.
 */
final class BulkAnswerOrder {

    private BulkAnswerOrder() {}

    /**
     * Items that a pipeline ended are in each other's places, all others in their own. Ended ones are put where their ids say,
     * if these are the very places that they have among them: the id of an item of a second run is lower than its place as soon
     * as the first run ended one before it, so that the ids are either all right, or not these places.
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
