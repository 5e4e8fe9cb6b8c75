/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.bulk.TransportBulkAction;
import org.opensearch.common.lucene.uid.Versions;
import org.opensearch.index.seqno.SequenceNumbers;

/**
 * Counts the items of a bulk with one id and one index, because a bulk may write one document thousands of times.
 * Filled by one thread, then constant.
 */
final class ItemsOfDocument {

    private final String index;
    private final ItemsOfDocument next;
    private final int indices;
    /** By {@link OpType} id. */
    private final int[] counts = new int[4];

    private boolean updateArrives;
    private String updateRouting;
    private int lastPlace;
    private boolean endsWithDelete;
    private String lastRouting;

    /**
     * @param index as the bulk names it
     * @param next the same id in another index, or null
     */
    ItemsOfDocument(String index, ItemsOfDocument next) {
        this.index = index;
        this.next = next;
        this.indices = indices(next) + 1;
    }

    static int indices(ItemsOfDocument first) {
        return first == null ? 0 : first.indices;
    }

    /** The items of an index in a chain, or null. */
    static ItemsOfDocument in(String index, ItemsOfDocument first) {
        ItemsOfDocument items = first;
        while (items != null && items.index.equals(index) == false) {
            items = items.next;
        }
        return items;
    }

    /** @param place in the bulk, in increasing order */
    void add(DocWriteRequest<?> request, int place) {
        counts[request.opType().getId()]++;
        if (request.opType() == OpType.UPDATE) {
            updateArrives |= TransportBulkAction.getIndexWriteRequest(request) != null;
            updateRouting = request.routing();
        }
        lastPlace = place;
        lastRouting = request.routing();
        endsWithDelete = request.opType() == OpType.DELETE && isCertain(request);
    }

    /** Whether it has no condition on the stored version. */
    private static boolean isCertain(DocWriteRequest<?> request) {
        return request.version() == Versions.MATCH_ANY && request.ifSeqNo() == SequenceNumbers.UNASSIGNED_SEQ_NO;
    }

    String index() {
        return index;
    }

    ItemsOfDocument next() {
        return next;
    }

    int count(OpType type) {
        return counts[type.getId()];
    }

    /** Whether an update has a document for pipelines. */
    boolean updateArrives() {
        return updateArrives;
    }

    String updateRouting() {
        return updateRouting;
    }

    int lastPlace() {
        return lastPlace;
    }

    /** Whether the last item certainly deletes the document. */
    boolean endsWithDelete() {
        return endsWithDelete;
    }

    String lastRouting() {
        return lastRouting;
    }
}
