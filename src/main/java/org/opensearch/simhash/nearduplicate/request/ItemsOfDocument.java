/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.bulk.TransportBulkAction;
import org.opensearch.common.lucene.uid.Versions;
import org.opensearch.index.seqno.SequenceNumbers;

/**
 * The items of a bulk that have the same id and name the same index, counted: each document asks for those of its own, and a bulk
 * may write one document thousands of times. Filled by one thread, then not changed any more.
 */
final class ItemsOfDocument {

    private final String index;
    private final ItemsOfDocument next;
    private final int indices;
    /** By the id of their {@link OpType}. */
    private final int[] counts = new int[4];

    private boolean updateArrives;
    private String updateRouting;
    private int lastPlace;
    private boolean endsWithDelete;
    private String lastRouting;

    /**
     * None yet.
     *
     * @param index as the bulk names it
     * @param next those with the same id that name another index, or null
     */
    ItemsOfDocument(String index, ItemsOfDocument next) {
        this.index = index;
        this.next = next;
        this.indices = indices(next) + 1;
    }

    /** How many indices several with the same id name. */
    static int indices(ItemsOfDocument first) {
        return first == null ? 0 : first.indices;
    }

    /** Those of several with the same id that name an index, or null. */
    static ItemsOfDocument in(String index, ItemsOfDocument first) {
        ItemsOfDocument items = first;
        while (items != null && items.index.equals(index) == false) {
            items = items.next;
        }
        return items;
    }

    /** @param place in the bulk, after those before */
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

    /** Whether it is done whatever the document is by then. */
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

    /** Whether a document of an update goes through pipelines. */
    boolean updateArrives() {
        return updateArrives;
    }

    /** Of the last update. */
    String updateRouting() {
        return updateRouting;
    }

    /** Of the last item, in the bulk. */
    int lastPlace() {
        return lastPlace;
    }

    /** Whether the last item deletes the document, for certain. */
    boolean endsWithDelete() {
        return endsWithDelete;
    }

    String lastRouting() {
        return lastRouting;
    }
}
