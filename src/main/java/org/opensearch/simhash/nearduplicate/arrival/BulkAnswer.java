/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import java.util.function.Consumer;
import org.apache.lucene.util.RamUsageEstimator;

/**
 * Whether the bulk that documents came with has been answered: what it was to store is stored by then, or never will be. It
 * stays open when that is not certain. Thread-safe.
 */
public final class BulkAnswer {

    public static final long BYTES = RamUsageEstimator.shallowSizeOfInstance(BulkAnswer.class);

    private volatile boolean given;
    private volatile Consumer<Exception> failing = e -> {};

    /** Nothing of the bulk is under way any more. */
    public void give() {
        given = true;
    }

    public boolean isGiven() {
        return given;
    }

    /** @param how answers the bulk with an error, unless it is answered already; not kept any longer than that */
    public void failBy(Consumer<Exception> how) {
        failing = how;
    }

    /** Something is broken, and OpenSearch would never answer. */
    public void fail(Exception e) {
        failing.accept(e);
    }
}
