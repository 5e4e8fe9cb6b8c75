/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.lookup;

import org.opensearch.search.SearchHit;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.scope.PairFields;
import org.opensearch.simhash.nearduplicate.scope.Pairing;

/** Which hits of a search meet the conditions of arriving documents. Reads each source once. One thread. */
final class HitPairings {

    private final PairFields fields;
    private final SearchHit[] hits;
    private final Pairing[] read;

    HitPairings(PairFields fields, SearchHit[] hits) {
        this.fields = fields;
        this.hits = hits;
        this.read = new Pairing[hits.length];
    }

    /** A document with a near hit in an index that cannot decide the conditions fails. */
    boolean areMet(Arrival arrival, int hit) {
        if (arrival.pairing().conditions().isEmpty()) {
            return true;
        }
        String index = hits[hit].getIndex();
        try {
            fields.requireMapped(index, arrival.document().getSourceAndMetadata());
            if (read[hit] == null) {
                read[hit] = fields.ofStored(hits[hit].hasSource() ? hits[hit].getSourceAsMap() : null, index);
            }
        } catch (IllegalArgumentException e) {
            arrival.failed(e);
            return false;
        }
        return arrival.pairing().isMetBy(read[hit]);
    }
}
