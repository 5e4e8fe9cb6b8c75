/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * The documents that a bulk updates. Pipelines see nothing of an update but what is stored when there is no such document, and
 * run before anything of the bulk is done. Immutable.
 */
final class BulkChanges {

    static final String KEY = "_simhash_bulk_changes";

    static final BulkChanges NONE = new BulkChanges(Map.of());

    /** In larger bulks every document counts as changed. */
    static final int MOST = 10_000;

    private static final BulkChanges TOO_MANY = new BulkChanges(Map.of());

    /** @param index as the bulk names it */
    private record Change(String index, String routing) {}

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
        for (DocWriteRequest<?> request : bulk.requests()) {
            if (request instanceof UpdateRequest) {
                if (count++ == MOST) {
                    return TOO_MANY;
                }
                byId.computeIfAbsent(request.id(), any -> new ArrayList<>(1))
                        .add(new Change(request.index(), request.routing()));
            }
        }
        return byId.isEmpty() ? NONE : new BulkChanges(byId);
    }

    /** Whether the bulk updates a document. */
    boolean updates(DocumentName name, LookupScopes scopes) {
        return this == TOO_MANY || change(name, scopes) != null;
    }

    /** With the routing of its update when the document has none. */
    DocumentName routed(DocumentName name, LookupScopes scopes) {
        Change change = name.routing() == null ? change(name, scopes) : null;
        return change == null ? name : new DocumentName(name.index(), name.id(), change.routing());
    }

    private Change change(DocumentName name, LookupScopes scopes) {
        for (Change change : byId.getOrDefault(name.id(), List.of())) {
            if (scopes.writeIndex(change.index()).equals(name.index())) {
                return change;
            }
        }
        return null;
    }
}
