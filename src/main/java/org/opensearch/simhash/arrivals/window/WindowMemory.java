/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/** The window's memory on the circuit breaker, taken in steps up to a share. One thread at a time. */
final class WindowMemory {

    private static final long STEP = 1 << 18;

    private final LongConsumer breaker;
    private final LongSupplier share;
    private long reserved;

    /**
     * @param breaker takes bytes, or refuses them, or takes them back if negative
     * @param share most bytes, at the moment; exceeded by less than a step
     */
    WindowMemory(LongConsumer breaker, LongSupplier share) {
        this.breaker = breaker;
        this.share = share;
    }

    /** Takes memory up to a total; false if that is refused. */
    boolean fits(long bytes) {
        if (bytes > share.getAsLong()) {
            return false;
        }
        long missing = bytes - reserved;
        if (missing <= 0) {
            return true;
        }
        long taken = (missing + STEP - 1) / STEP * STEP;
        try {
            breaker.accept(taken);
        } catch (CircuitBreakingException e) {
            return false;
        }
        reserved += taken;
        return true;
    }

    void shrinkTo(long bytes) {
        long kept = (bytes + STEP - 1) / STEP * STEP;
        if (reserved > kept) {
            breaker.accept(kept - reserved);
            reserved = kept;
        }
    }

    long reserved() {
        return reserved;
    }
}
