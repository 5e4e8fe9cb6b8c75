/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome;

/** Outcomes of a round's earlier documents. One thread. */
final class Decided {

    private final Map<Long, ArrivalOutcome> outcomes = new HashMap<>();

    void add(ArrivalOutcome outcome) {
        outcomes.put(outcome.number(), outcome);
    }

    /** Whether another document than the one named got a group. */
    boolean hasOthers(String group, DocumentName name) {
        return outcomes.values().stream()
                .anyMatch(outcome -> outcome.membership() != null
                        && group.equals(outcome.membership().group())
                        && outcome.name() != null
                        && outcome.name().sameDocument(name) == false);
    }

    /** Null if undecided, or of another round. */
    ArrivalOutcome outcome(long number) {
        return outcomes.get(number);
    }
}
