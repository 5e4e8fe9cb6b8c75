/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.memory;

import java.util.function.LongConsumer;
import org.opensearch.common.util.BigArrays;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;

/**
 * What one search takes of the heap, on the account of the circuit breaker {@code request} as the rest of a search is. What would
 * be too much is refused with HTTP 429 before it is taken. Thread-safe.
 *
 * @param breaker that all requests of the node share
 * @param label what takes the memory, for the breaker's message
 */
public record RequestMemory(CircuitBreaker breaker, String label) implements LongConsumer {

    /** By what searches of a shard take memory; without a breaker there nothing is refused. */
    public static LongConsumer of(BigArrays arrays, String label) {
        CircuitBreakerService breakers = arrays.breakerService();
        return breakers == null ? bytes -> {} : new RequestMemory(breakers.getBreaker(CircuitBreaker.REQUEST), label);
    }

    /** Takes bytes, or gives them back when negative. */
    @Override
    public void accept(long bytes) {
        if (bytes > 0) {
            breaker.addEstimateBytesAndMaybeBreak(bytes, label);
        } else {
            breaker.addWithoutBreaking(bytes);
        }
    }
}
