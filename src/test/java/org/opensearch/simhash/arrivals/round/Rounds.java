/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.round;

import java.util.HashMap;
import java.util.List;
import java.util.function.Consumer;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.decision.Batch;
import org.opensearch.simhash.arrivals.decision.DuplicateRule;
import org.opensearch.simhash.arrivals.decision.Judgement.DocumentResult;
import org.opensearch.simhash.arrivals.request.BulkChanges.Bulk;
import org.opensearch.simhash.arrivals.request.BulkOutcome;
import org.opensearch.simhash.arrivals.round.Round.LookupMemory;
import org.opensearch.simhash.arrivals.round.Round.RoundServices;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.core.memory.Account;

/** Rounds of made-up documents. */
public final class Rounds {

    private Rounds() {}

    public static void start(
            RoundServices services,
            DuplicateRule rule,
            LookupScopes scopes,
            List<Arrival> arrivals,
            Consumer<List<DocumentResult>> handler) {
        Bulk bulk = Bulk.of(services.lookups().threadContext());
        Batch batch = new Batch(
                rule,
                Arrivals.criteria(3, null),
                scopes,
                new BulkOutcome(bulk.changes(), scopes, arrivals),
                bulk.tally(),
                TimeValue.timeValueSeconds(30),
                false,
                arrivals,
                new HashMap<>());
        LookupMemory room = new LookupMemory(new Account(services.memory()), services.lookups(), 0);
        new Round(services, batch, room, () -> scopes, handler).start();
    }
}
