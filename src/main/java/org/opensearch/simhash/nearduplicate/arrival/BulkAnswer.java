/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import java.util.function.Consumer;
import org.apache.lucene.util.RamUsageEstimator;

/**
 * Whether a bulk is answered. Then each of its documents is stored, or never will be. It stays open if that is
 * uncertain. Thread-safe.
 */
public final class BulkAnswer {

    public static final long BYTES = RamUsageEstimator.shallowSizeOfInstance(BulkAnswer.class);

    private volatile boolean given;
    private volatile Consumer<Exception> failing = e -> {};

    /** The bulk is answered: none of its writes is under way. */
    public void give() {
        given = true;
    }

    public boolean isGiven() {
        return given;
    }

    /** @param how answers the bulk with an error, unless it is answered; released after the answer */
    public void failBy(Consumer<Exception> how) {
        failing = how;
    }

    /** Answers the bulk with an error, because OpenSearch would never answer it. */
    public void fail(Exception e) {
        failing.accept(e);
    }
}
