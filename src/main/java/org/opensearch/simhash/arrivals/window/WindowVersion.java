/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.List;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.Membership;
import org.opensearch.simhash.arrivals.arrival.Original;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.Pairing;

/**
 * A version that is, or may be, stored, as the window knew it at one moment. Immutable.
 *
 * @param name under which it is, or will be, stored
 * @param state never {@link EntryState#GONE}
 * @param version in the bulk's answer, or {@link Original.Version#NONE}
 * @param originals that it names, by any field
 * @param membership the group that it names, by its own field, or null
 */
public record WindowVersion(
        long number,
        long order,
        DocumentName name,
        EntryState state,
        boolean isAnswered,
        BulkAnswer answer,
        Original.Version version,
        List<DocumentName> originals,
        Membership membership,
        ArrivedPrint print,
        Pairing pairing) {

    /** Whether it replaces earlier versions, unless its shard refuses it. */
    public boolean isCertain() {
        return state == EntryState.KEPT || state == EntryState.REPLACED;
    }

    public boolean isUndecided() {
        return state == EntryState.UNDECIDED;
    }

    /** From an arriving document; {@link ArrivedPrint#INCOMPARABLE} if the two do not meet its conditions. */
    public int distance(Arrival arrival) {
        return arrival.pairing().isMetBy(pairing) ? arrival.print().distance(print) : ArrivedPrint.INCOMPARABLE;
    }
}
