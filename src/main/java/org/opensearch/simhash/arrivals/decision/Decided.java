/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome;

/** Outcomes of a round's earlier documents. One thread. */
final class Decided {

    private final Map<Long, ArrivalOutcome> outcomes = new HashMap<>();
    private final Map<Long, DocumentName> moved = new HashMap<>();

    /** @param bound the name on arrival */
    void add(ArrivalOutcome outcome, DocumentName bound) {
        outcomes.put(outcome.number(), outcome);
        if (outcome.name() != null && outcome.name().sameDocument(bound) == false) {
            moved.put(outcome.number(), outcome.name());
        }
    }

    /** Whether another document than the one named got a group. */
    boolean hasOthers(String group, DocumentName name) {
        return outcomes.values().stream()
                .anyMatch(outcome -> outcome.membership() != null
                        && outcome.membership().group().equals(group)
                        && outcome.name() != null
                        && outcome.name().sameDocument(name) == false);
    }

    /** Null if undecided, or of another round. */
    ArrivalOutcome outcome(long number) {
        return outcomes.get(number);
    }

    /** New names of moved documents, by number. */
    Map<Long, DocumentName> moved() {
        return moved;
    }
}
