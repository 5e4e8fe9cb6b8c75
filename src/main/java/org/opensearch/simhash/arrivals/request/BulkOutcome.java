/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScopes;

/**
 * Predicts the effects of a round's bulk: from its items, and from the arriving documents, which a pipeline may have
 * renamed. One thread at a time.
 */
public final class BulkOutcome {

    private static final int MOST_COMPARED = 8;

    private final BulkChanges changes;
    private final LookupScopes scopes;
    private final List<Arrival> arrivals;
    private Map<String, List<Arrival>> byId;

    public BulkOutcome(BulkChanges changes, LookupScopes scopes, List<Arrival> arrivals) {
        this.changes = changes;
        this.scopes = scopes;
        this.arrivals = arrivals;
    }

    /** Whether the document belongs to an update. It is stored only if none of its name exists. */
    public boolean isUpdate(Arrival arrival) {
        return changes.updates(arrival.name(), scopes);
    }

    /** Whether the document is deleted in the end, in any case. */
    public boolean endsWithoutIt(DocumentName name) {
        return changes.endsWithoutIt(name, scopes);
    }

    /** Whether the final version may be neither the stored one nor near. Of more than {@value #MOST_COMPARED} versions, none is compared. */
    public boolean mayDiffer(DocumentName name, Predicate<Arrival> isNear) {
        List<Arrival> versions = versions(name);
        if (changes.touches(name, scopes) || versions.size() > MOST_COMPARED) {
            return true;
        }
        long overwrites = changes.count(name, scopes, OpType.INDEX);
        long creates = changes.count(name, scopes, OpType.CREATE);
        if (overwrites == 0 && versions.size() <= creates) {
            return false; // a creation writes its document, or nothing
        }
        // Items outside the round may be far.
        return overwrites + creates > versions.size() || versions.stream().allMatch(isNear) == false;
    }

    /** Whether several items of the bulk, or documents of the round, have a name. */
    public boolean isWrittenAgain(DocumentName name) {
        long items = Stream.of(OpType.values())
                .mapToLong(type -> changes.count(name, scopes, type))
                .sum();
        return changes.isUnknown() || items > 1 || versions(name).size() > 1;
    }

    private List<Arrival> versions(DocumentName name) {
        if (byId == null) {
            byId = new HashMap<>();
            for (Arrival arrival : arrivals) {
                byId.computeIfAbsent(arrival.name().id(), any -> new ArrayList<>(1))
                        .add(arrival);
            }
        }
        return byId.getOrDefault(name.id(), List.of()).stream()
                .filter(version -> version.name().sameDocument(name))
                .toList();
    }
}
