/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.simhash.arrivals.arrival.Original.Version;

/** Whether a bulk is answered: each of its documents is stored, or never will be. Stays open if that is uncertain. Thread-safe. */
public final class BulkAnswer {

    public static final long BYTES = RamUsageEstimator.shallowSizeOfInstance(BulkAnswer.class);

    private volatile boolean given;

    /** Marks the bulk as answered: from now on, none of its writes is under way. */
    public void give() {
        given = true;
    }

    public boolean isGiven() {
        return given;
    }

    /**
     * A bulk's answer for one document.
     *
     * @param version as stored; null if the document was certainly refused
     */
    public record ItemAnswer(String index, String id, Version version) {}
}
