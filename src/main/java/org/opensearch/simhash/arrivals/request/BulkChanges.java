/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.TransportBulkAction;
import org.opensearch.common.lucene.uid.Versions;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.search.ingest.FingerprintCounts.BulkTally;

/**
 * The documents that a bulk writes, updates or deletes by id. Pipelines run before these writes and see no deletes. For
 * an update they see only the document to store if none exists. Immutable.
 */
public final class BulkChanges {

    static final String KEY = "_simhash_bulk_changes";

    static final BulkChanges NONE = new BulkChanges(Map.of());

    /** Without memory, or with one id in many indices: every document counts as changed and updated. */
    static final BulkChanges UNKNOWN = new BulkChanges(Map.of());

    /** The same for a bulk without updates. */
    static final BulkChanges UNKNOWN_WITHOUT_UPDATES = new BulkChanges(Map.of());

    /** Most indices for one id, because each document with that id walks through them. */
    static final int MOST_INDICES = 100;

    /** Bytes of an item with an id of its own, roughly; the request owns its strings. */
    private static final long BYTES_PER_ITEM = 128;

    private static final Comparator<ItemsOfDocument> LAST = Comparator.comparingInt(items -> items.lastPlace);

    private final Map<String, List<ItemsOfDocument>> byId;

    private BulkChanges(Map<String, List<ItemsOfDocument>> byId) {
        this.byId = byId;
    }

    public static BulkChanges of(ThreadContext context) {
        BulkChanges changes = context.getTransient(KEY);
        return changes == null ? NONE : changes;
    }

    /** Heap bytes of {@link #of(BulkRequest)}; 0 if it is not needed. */
    static long bytes(BulkRequest bulk) {
        List<DocWriteRequest<?>> requests = bulk.requests();
        boolean isAlone = requests.size() == 1 && requests.getFirst().opType() != OpType.UPDATE;
        if (isAlone
                || requests.stream().allMatch(request -> TransportBulkAction.getIndexWriteRequest(request) == null)) {
            return 0;
        }
        return BYTES_PER_ITEM
                * requests.stream().filter(request -> request.id() != null).count();
    }

    static BulkChanges of(BulkRequest bulk) {
        Map<String, List<ItemsOfDocument>> byId = new HashMap<>();
        int place = 0;
        for (DocWriteRequest<?> request : bulk.requests()) {
            if (request.id() != null) {
                List<ItemsOfDocument> sameId = byId.computeIfAbsent(request.id(), any -> new ArrayList<>(1));
                int known = 0;
                while (known < sameId.size() && sameId.get(known).index.equals(request.index()) == false) {
                    known++;
                }
                if (known == MOST_INDICES) {
                    return unknown(bulk);
                }
                if (known == sameId.size()) {
                    sameId.add(new ItemsOfDocument(request.index()));
                }
                sameId.get(known).add(request, place);
            }
            place++;
        }
        return new BulkChanges(byId);
    }

    static BulkChanges unknown(BulkRequest bulk) {
        return bulk.requests().stream().anyMatch(request -> request.opType() == OpType.UPDATE)
                ? UNKNOWN
                : UNKNOWN_WITHOUT_UPDATES;
    }

    boolean isUnknown() {
        return this == UNKNOWN || this == UNKNOWN_WITHOUT_UPDATES;
    }

    boolean endsWithoutIt(DocumentName name, LookupScopes scopes) {
        return items(name, scopes)
                .max(LAST)
                .filter(items -> items.endsWithDelete)
                .map(items -> scopes.name(items.index, name.id(), items.lastRouting))
                .filter(name::equals)
                .isPresent();
    }

    boolean touches(DocumentName name, LookupScopes scopes) {
        return isUnknown() || count(name, scopes, OpType.UPDATE) + count(name, scopes, OpType.DELETE) > 0;
    }

    /**
     * Whether an arriving document may belong to an update: one with its name, or one with its id, if no other item has
     * its name and a pipeline may have changed the index.
     */
    public boolean updates(DocumentName name, LookupScopes scopes) {
        if (this == UNKNOWN || count(name, scopes, OpType.UPDATE) > 0) {
            return true;
        }
        boolean isUpdatedElsewhere = all(name.id()).anyMatch(items -> items.updateArrives);
        return isUpdatedElsewhere && count(name, scopes, OpType.INDEX) + count(name, scopes, OpType.CREATE) == 0;
    }

    /** 0 in an unknown bulk. */
    public long count(DocumentName name, LookupScopes scopes, OpType type) {
        return items(name, scopes).mapToLong(items -> items.count(type)).sum();
    }

    /** A name without routing gets the routing of its update. */
    public DocumentName routed(DocumentName name, LookupScopes scopes) {
        return name.routing() != null
                ? name
                : items(name, scopes)
                        .filter(items -> items.count(OpType.UPDATE) > 0)
                        .max(LAST)
                        .map(items -> new DocumentName(name.index(), name.id(), items.updateRouting))
                        .orElse(name);
    }

    private Stream<ItemsOfDocument> items(DocumentName name, LookupScopes scopes) {
        return all(name.id()).filter(items -> scopes.indexOrName(items.index).equals(name.index()));
    }

    private Stream<ItemsOfDocument> all(String id) {
        return byId.getOrDefault(id, List.of()).stream();
    }

    /**
     * Counts the items of a bulk with one id and one index, because a bulk may write one document thousands of times.
     * Filled by one thread, then constant.
     */
    private static final class ItemsOfDocument {

        private final String index;
        /** By {@link OpType} id. */
        private final int[] counts = new int[4];

        /** Whether an update has a document for pipelines. */
        private boolean updateArrives;

        private String updateRouting;
        private int lastPlace;
        /** Whether the last item certainly deletes the document. */
        private boolean endsWithDelete;

        private String lastRouting;

        /** @param index as the bulk names it */
        ItemsOfDocument(String index) {
            this.index = index;
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

        int count(OpType type) {
            return counts[type.getId()];
        }
    }

    /**
     * The request of the documents, read once from its context.
     *
     * @param tally null without a bulk
     * @param isSimulated whether nothing will be indexed
     */
    public record Bulk(BulkChanges changes, BulkAnswer answer, BulkTally tally, boolean isSimulated) {

        public static Bulk of(ThreadContext context) {
            return new Bulk(
                    BulkChanges.of(context),
                    BulkAnswers.of(context),
                    BulkTally.of(context),
                    Simulations.isMarked(context));
        }
    }
}
