/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.ingest.PreparingRecipes;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Criteria;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.request.BulkChanges;
import org.opensearch.simhash.nearduplicate.request.BulkOutcome;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;
import org.opensearch.simhash.query.SimHashQueries;

/** The documents that one processor gets at once, in the order in which they came, and what holds for all of them. One thread at a time. */
public final class Batch {

    private final DuplicateRule rule;
    private final Criteria criteria;
    private final LookupScopes scopes;
    private final BulkOutcome outcome;
    private final TimeValue timeout;
    private final boolean simulated;
    private final List<Arrival> arrivals;
    private final Map<String, PreparingRecipes> preparing = new HashMap<>();
    private long firstNumber;

    /**
     * @param changes of the bulk that they come with
     * @param timeout of what is done for one document
     * @param simulated whether they are not to be indexed
     */
    public Batch(
            DuplicateRule rule,
            Criteria criteria,
            LookupScopes scopes,
            BulkChanges changes,
            TimeValue timeout,
            boolean simulated,
            List<Arrival> arrivals) {
        this.rule = rule;
        this.criteria = criteria;
        this.scopes = scopes;
        this.outcome = new BulkOutcome(changes, scopes, arrivals);
        this.timeout = timeout;
        this.simulated = simulated;
        this.arrivals = arrivals;
    }

    public List<Arrival> arrivals() {
        return arrivals;
    }

    /** They entered the window, one after the other. */
    public void numbered(long first) {
        firstNumber = first;
        for (int i = 0; i < arrivals.size(); i++) {
            arrivals.get(i).numbered(first + i);
        }
    }

    /** Of the first document, in the window. */
    public long firstNumber() {
        return firstNumber;
    }

    public long lastNumber() {
        return firstNumber + arrivals.size() - 1;
    }

    /** The document among these that has a number in the window, or null. */
    Arrival arrival(long number) {
        return number < firstNumber || number > lastNumber() ? null : arrivals.get((int) (number - firstNumber));
    }

    /** Whether an original is one of these documents. */
    boolean holds(Original original) {
        return original.isInWindow() && arrival(original.number()) != null;
    }

    DuplicateRule rule() {
        return rule;
    }

    Criteria criteria() {
        return criteria;
    }

    LookupScopes scopes() {
        return scopes;
    }

    /** By which texts of an index are prepared for verification: looked for once, among all pipelines where need be. */
    PreparingRecipes preparing(String index, SimHashQueries queries) {
        return preparing.computeIfAbsent(index, any -> queries.preparing(rule.field(), index));
    }

    /** What the bulk does to documents. */
    BulkOutcome outcome() {
        return outcome;
    }

    TimeValue timeout() {
        return timeout;
    }

    boolean isSimulated() {
        return simulated;
    }
}
