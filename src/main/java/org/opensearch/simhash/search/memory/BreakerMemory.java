/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.memory;

import java.util.function.LongConsumer;
import org.opensearch.common.util.BigArrays;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;

/**
 * A memory on a circuit breaker, which refuses bytes with HTTP 429. Thread-safe.
 *
 * @param breaker shared by all such work of the node
 * @param label names the work in the breaker's message
 */
public record BreakerMemory(CircuitBreaker breaker, String label) implements LongConsumer {

    /** The breaker {@code request} of a shard's searches. Without it nothing is refused. */
    public static LongConsumer ofRequests(BigArrays arrays, String label) {
        CircuitBreakerService breakers = arrays.breakerService();
        return breakers == null ? bytes -> {} : ofRequests(breakers, label);
    }

    /** The breaker {@code request}, as in other parts of a search. */
    public static BreakerMemory ofRequests(CircuitBreakerService breakers, String label) {
        return new BreakerMemory(breakers.getBreaker(CircuitBreaker.REQUEST), label);
    }

    /** Takes bytes; negative ones are given back. */
    @Override
    public void accept(long bytes) {
        if (bytes > 0) {
            breaker.addEstimateBytesAndMaybeBreak(bytes, label);
        } else {
            breaker.addWithoutBreaking(bytes);
        }
    }
}
