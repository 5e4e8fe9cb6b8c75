/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.memory;

import java.util.function.LongConsumer;
import org.opensearch.common.util.BigArrays;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;

/**
 * What some work takes of the heap, on the account of a circuit breaker. What would be too much is refused with HTTP 429 before it
 * is taken. Thread-safe.
 *
 * @param breaker shared by all such work of the node
 * @param label what takes the memory, for the breaker's message
 */
public record BreakerMemory(CircuitBreaker breaker, String label) implements LongConsumer {

    /** By what searches of a shard take memory: the breaker {@code request}; without one there nothing is refused. */
    public static LongConsumer ofRequests(BigArrays arrays, String label) {
        CircuitBreakerService breakers = arrays.breakerService();
        return breakers == null ? bytes -> {} : ofRequests(breakers, label);
    }

    /** The breaker {@code request}, as of the rest of a search. */
    public static BreakerMemory ofRequests(CircuitBreakerService breakers, String label) {
        return new BreakerMemory(breakers.getBreaker(CircuitBreaker.REQUEST), label);
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
