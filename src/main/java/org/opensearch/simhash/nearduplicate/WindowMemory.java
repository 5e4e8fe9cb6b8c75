/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.function.LongConsumer;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/** What the window holds of the circuit breaker, taken in steps. One thread at a time. */
final class WindowMemory {

    private static final long STEP = 1 << 18;

    private final LongConsumer breaker;
    private long reserved;

    /** @param breaker takes bytes, or refuses them, or takes them back when negative */
    WindowMemory(LongConsumer breaker) {
        this.breaker = breaker;
    }

    /** Whether that many bytes may be held, all in all. */
    boolean fits(long bytes) {
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
