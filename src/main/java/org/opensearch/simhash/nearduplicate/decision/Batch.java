/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.List;
import java.util.Map;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.ingest.BulkTally;
import org.opensearch.simhash.ingest.PreparingRecipes;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.Criteria;
import org.opensearch.simhash.nearduplicate.request.BulkOutcome;
import org.opensearch.simhash.nearduplicate.scope.LookupScopes;
import org.opensearch.simhash.nearduplicate.window.WindowVersion;
import org.opensearch.simhash.query.SimHashQueries;

/**
 * The documents that one processor gets at once, and what holds for all of them. One thread at a time.
 *
 * @param outcome what the bulk that they come with does to documents
 * @param tally of that bulk; null when there is none
 * @param timeout of what is done for one document
 * @param isSimulated whether they are not to be indexed
 * @param arrivals in the order in which they came, at least one
 * @param preparing by index the recipes that were looked for before
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

    /** Of the first document, in the window; higher than any until it entered that. */
    public long firstNumber() {
        return arrivals.getFirst().number();
    }

    public long lastNumber() {
        return arrivals.getLast().number();
    }

    /** The document among these that has a number in the window, or null. */
    Arrival arrival(long number) {
        return holds(number) ? arrivals.get((int) (number - firstNumber())) : null;
    }

    /** Whether an entry of the window is of one of these documents. */
    boolean holds(long number) {
        return number >= firstNumber() && number <= lastNumber();
    }

    /** Whether the bulk of these documents brought an entry of the window. */
    boolean isOfItsBulk(WindowVersion version) {
        return version.answer() == arrivals.getFirst().answer();
    }

    /** By which texts of an index are prepared for verification: looked for once, among all pipelines where need be. */
    PreparingRecipes preparing(String index, SimHashQueries queries) {
        return preparing.computeIfAbsent(index, any -> queries.preparing(rule.field(), index));
    }
}
