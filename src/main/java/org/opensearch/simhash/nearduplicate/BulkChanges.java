/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.TransportBulkAction;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * The documents that a bulk deletes or updates. Pipelines see no deletes, of an update only what is stored when there is no such
 * document, and run before anything of the bulk is done. Immutable.
 */
final class BulkChanges {

    static final String KEY = "_simhash_bulk_changes";

    static final BulkChanges NONE = new BulkChanges(Map.of());

    /** In larger bulks every document counts as changed. */
    static final int MOST = 10_000;

    private static final BulkChanges TOO_MANY = new BulkChanges(Map.of());

    /** @param index as the bulk names it */
    private record Change(String index, String routing, boolean isUpdate) {}

    private final Map<String, List<Change>> byId;

    private BulkChanges(Map<String, List<Change>> byId) {
        this.byId = byId;
    }

    /** Of the bulk that runs in a context. */
    static BulkChanges of(ThreadContext context) {
        BulkChanges changes = context.getTransient(KEY);
        return changes == null ? NONE : changes;
    }

    static BulkChanges of(BulkRequest bulk) {
        Map<String, List<Change>> byId = new HashMap<>();
        int count = 0;
        boolean indexes = false;
        for (DocWriteRequest<?> request : bulk.requests()) {
            boolean isUpdate = request instanceof UpdateRequest;
            indexes |= TransportBulkAction.getIndexWriteRequest(request) != null;
            if (isUpdate || request instanceof DeleteRequest) {
                if (count++ == MOST) {
                    return TOO_MANY;
                }
                byId.computeIfAbsent(request.id(), any -> new ArrayList<>(1))
                        .add(new Change(request.index(), request.routing(), isUpdate));
            }
        }
        return byId.isEmpty() || indexes == false ? NONE : new BulkChanges(byId);
    }

    /** Whether the bulk deletes or updates a document. */
    boolean touches(DocumentName name, LookupScopes scopes) {
        return this == TOO_MANY || changes(name, scopes).findAny().isPresent();
    }

    /** Whether the bulk updates a document. */
    boolean updates(DocumentName name, LookupScopes scopes) {
        return this == TOO_MANY || changes(name, scopes).anyMatch(Change::isUpdate);
    }

    /** With the routing of its update when the document has none. */
    DocumentName routed(DocumentName name, LookupScopes scopes) {
        return name.routing() != null
                ? name
                : changes(name, scopes)
                        .filter(Change::isUpdate)
                        .findFirst()
                        .map(change -> new DocumentName(name.index(), name.id(), change.routing()))
                        .orElse(name);
    }

    private Stream<Change> changes(DocumentName name, LookupScopes scopes) {
        return byId.getOrDefault(name.id(), List.of()).stream()
                .filter(change -> scopes.writeIndex(change.index()).equals(name.index()));
    }
}
