/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.lookup.StoredOriginals;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.window.ArrivalWindow;

/** Which documents name others as their originals: in the window, or in the tag that is stored with them. */
record Followers(ArrivalWindow window, String targetField, StoredOriginals stored) {

    /**
     * Those that name a document as their original, or name one that does, are no originals of it when it is written again:
     * none of them would be left as the one that the others are duplicates of.
     */
    void removeFrom(List<Original> originals, DocumentName document) {
        List<DocumentName> leaders = new ArrayList<>(List.of(document));
        boolean changed = true;
        while (changed) {
            changed = originals.removeIf(original -> {
                boolean follows = leaders(original).stream()
                        .anyMatch(leader -> leaders.stream().anyMatch(leader::sameDocument));
                if (follows) {
                    leaders.add(original.name());
                }
                return follows;
            });
        }
    }

    /** The documents that an original names as its own. */
    private List<DocumentName> leaders(Original original) {
        if (original.isInWindow()) {
            return window.originals(original.number());
        }
        Map<String, Object> source = stored.source(original.name());
        DocumentName leader = source == null ? null : DuplicateTag.original(source, targetField);
        return leader == null ? List.of() : List.of(leader);
    }
}
