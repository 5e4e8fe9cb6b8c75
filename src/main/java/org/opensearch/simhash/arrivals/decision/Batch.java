/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.arrivals.request.BulkOutcome;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.scope.PairFields;
import org.opensearch.simhash.arrivals.window.WindowVersion;
import org.opensearch.simhash.search.ingest.FingerprintCounts.BulkTally;
import org.opensearch.simhash.search.ingest.PreparingRecipes;
import org.opensearch.simhash.search.query.SimHashQueries;

/**
 * Documents that one processor gets at once, at least one. One thread at a time.
 *
 * @param tally null without a bulk
 * @param timeout of the work for one document
 * @param isSimulated whether nothing will be indexed
 * @param preparing recipes by index, as far as looked up
 */
public record Batch(
        DuplicateRule rule,
        Criteria criteria,
        LookupScopes scopes,
        BulkOutcome outcome,
        BulkTally tally,
        TimeValue timeout,
        boolean isSimulated,
        List<Arrival> arrivals,
        Map<String, PreparingRecipes> preparing) {

    EndRule ending() {
        return new EndRule(criteria, rule.maxOwnWords(), rule.shortTexts(), false, false);
    }

    /** The first document's number; the highest possible one before it enters the window. */
    public long firstNumber() {
        return arrivals.getFirst().number();
    }

    /** Null if the number is not of this batch. */
    Arrival arrival(long number) {
        return holds(number) ? arrivals.get((int) (number - firstNumber())) : null;
    }

    boolean holds(long number) {
        return number >= firstNumber() && number <= arrivals.getLast().number();
    }

    boolean isOfItsBulk(WindowVersion version) {
        return version.answer() == arrivals.getFirst().answer();
    }

    /**
     * A bulk cannot be cancelled, and others wait for the thread.
     *
     * @param began in nanoseconds
     * @throws OpenSearchTimeoutException if the work for one document takes too long
     */
    void requireTime(long began) {
        if (System.nanoTime() - began > timeout.nanos()) {
            throw new OpenSearchTimeoutException("texts could not be compared within [" + timeout + "]");
        }
    }

    public PairFields pairFields() {
        return scopes.pairFields(criteria.conditions());
    }

    PreparingRecipes preparing(String index, SimHashQueries queries) {
        return preparing.computeIfAbsent(index, any -> queries.preparing(rule.kind(), rule.field(), index));
    }
}
