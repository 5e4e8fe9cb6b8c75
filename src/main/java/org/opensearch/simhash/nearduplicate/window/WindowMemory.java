/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/** What the window holds of the circuit breaker, taken in steps, at most its share. One thread at a time. */
final class WindowMemory {

    private static final long STEP = 1 << 18;

    private final LongConsumer breaker;
    private final LongSupplier share;
    private long reserved;

    /**
     * @param breaker takes bytes, or refuses them, or takes them back when negative
     * @param share bytes that may be held, at the moment; up to a step more are
     */
    WindowMemory(LongConsumer breaker, LongSupplier share) {
        this.breaker = breaker;
        this.share = share;
    }

    /** Whether that many bytes may be held, all in all. */
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

    /** Gives back what is beyond that many bytes. */
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
