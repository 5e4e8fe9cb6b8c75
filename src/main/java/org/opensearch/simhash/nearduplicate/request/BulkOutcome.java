/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;

/**
 * What the bulk of a round does to documents, as far as that can be told before it is done: by its items, and by what arrives
 * in the round, where a pipeline may have given documents other names. One thread at a time.
 */
public final class BulkOutcome {

    private final BulkChanges changes;
    private final LookupScopes scopes;
    private final List<Arrival> arrivals;
    private Map<String, List<Arrival>> byId;

    public BulkOutcome(BulkChanges changes, LookupScopes scopes, List<Arrival> arrivals) {
        this.changes = changes;
        this.scopes = scopes;
        this.arrivals = arrivals;
    }

    /** Whether it is what an update would store when there is no such document: another one may be stored by that name. */
    public boolean isUpdate(Arrival arrival) {
        return changes.updates(arrival.name(), scopes);
    }

    /** Whether a document is deleted once the bulk is done, whatever was stored before or comes with it. */
    public boolean endsWithoutIt(DocumentName name) {
        return changes.endsWithoutIt(name, scopes);
    }

    /**
     * Whether by a name something else may be stored in the end than what was stored before or is near.
     *
     * @param isNear of what arrives in the round
     */
    public boolean mayDiffer(DocumentName name, Predicate<Arrival> isNear) {
        if (changes.touches(name, scopes)) {
            return true;
        }
        List<Arrival> versions = versions(name);
        long overwrites = changes.count(name, scopes, OpType.INDEX);
        long creates = changes.count(name, scopes, OpType.CREATE);
        if (overwrites == 0 && versions.size() <= creates) {
            return false; // a document is created once, or not at all
        }
        // Of items that are not in the round nobody knows how near they are.
        return overwrites + creates > versions.size() || versions.stream().allMatch(isNear) == false;
    }

    /** Whether more than one item of the bulk, or document of the round, has a name. */
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
