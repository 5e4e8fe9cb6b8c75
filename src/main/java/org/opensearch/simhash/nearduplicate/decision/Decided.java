/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.window.Outcome;

/** What becomes of the documents of a round that are decided on: each decision counts for those after it. One thread. */
final class Decided {

    private final Map<Long, Outcome> outcomes = new HashMap<>();
    private final Map<Long, DocumentName> moved = new HashMap<>();

    /** @param bound the name by which the document came */
    void add(Outcome outcome, DocumentName bound) {
        outcomes.put(outcome.number(), outcome);
        if (outcome.name() != null && outcome.name().sameDocument(bound) == false) {
            moved.put(outcome.number(), outcome.name());
        }
    }

    /** Of the document with a number in the window; null when it is not decided on, or not of the round. */
    Outcome outcome(long number) {
        return outcomes.get(number);
    }

    /** The names of those that go elsewhere than they were bound for, by number. */
    Map<Long, DocumentName> moved() {
        return moved;
    }
}
