/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import org.apache.lucene.util.RamUsageEstimator;

/**
 * Whether the bulk that documents came with has been answered: what it was to store is stored by then, or never will be. It
 * stays open when that is not certain. Thread-safe.
 */
public final class BulkAnswer {

    public static final long BYTES = RamUsageEstimator.shallowSizeOfInstance(BulkAnswer.class);

    private volatile boolean given;

    /** Nothing of the bulk is under way any more. */
    public void give() {
        given = true;
    }

    public boolean isGiven() {
        return given;
    }
}
