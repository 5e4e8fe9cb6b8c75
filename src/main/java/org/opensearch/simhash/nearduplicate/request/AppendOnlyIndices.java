/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import java.util.BitSet;
import java.util.List;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;

/**
 * Turns {@code index} into {@code create} for documents without an id in append-only indices. The processor gives them
 * ids, and such an index only lets documents with ids be created. The answer says {@code index} again.
 */
final class AppendOnlyIndices {

    private AppendOnlyIndices() {}

    /** Changes a bulk, and its answer back. Must see the answer last. */
    static <Response> ActionListener<Response> renaming(
            BulkRequest request, LookupScopes scopes, ActionListener<Response> listener) {
        BitSet created = create(request.requests(), scopes);
        return created.isEmpty() ? listener : BulkAnswers.first(items -> callIndexed(items, created), listener);
    }

    /** Without an id, both operations make a new document. */
    private static BitSet create(List<DocWriteRequest<?>> requests, LookupScopes scopes) {
        BitSet created = new BitSet();
        for (int place = 0; place < requests.size(); place++) {
            if (requests.get(place) instanceof IndexRequest document
                    && document.id() == null
                    && document.opType() == OpType.INDEX
                    && scopes.isAppendOnly(document.index())) {
                document.opType(OpType.CREATE);
                created.set(place);
            }
        }
        return created;
    }

    private static void callIndexed(BulkItemResponse[] items, BitSet created) {
        created.stream().filter(place -> place < items.length).forEach(place -> {
            BulkItemResponse item = items[place];
            if (item.getOpType() == OpType.CREATE) {
                items[place] = item.isFailed()
                        ? new BulkItemResponse(item.getItemId(), OpType.INDEX, item.getFailure())
                        : new BulkItemResponse(item.getItemId(), OpType.INDEX, item.<DocWriteResponse>getResponse());
            }
        });
    }
}
