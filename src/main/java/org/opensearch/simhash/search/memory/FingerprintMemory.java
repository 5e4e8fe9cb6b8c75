/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.memory;

import java.util.function.LongConsumer;
import org.apache.lucene.util.SetOnce;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.BigArrays;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.monitor.jvm.JvmInfo;

/**
 * The circuit breaker {@code simhash} for fingerprinting: by default {@value #PERCENT_OF_HEAP} % of the heap for all documents in progress.
 * A document that needs more is refused with HTTP 429 before the memory is allocated. Thread-safe.
 *
 * <p>OpenSearch's settings for a plugin's breaker apply: {@code breaker.simhash.limit} (bytes or a share of the heap,
 * such as {@code 10%}) and {@code breaker.simhash.overhead} (a factor, 1). If you change the limit at run time, also
 * set the overhead: OpenSearch's default is 2. Node statistics show {@code breakers.simhash}.
 */
public final class FingerprintMemory implements LongConsumer {

    static final String BREAKER = "simhash";
    static final int PERCENT_OF_HEAP = 25;

    private final SetOnce<BreakerMemory> memory = new SetOnce<>();

    /** The defaults, overridden by {@code breaker.simhash.*} settings. */
    public static BreakerSettings breaker(Settings settings) {
        long limit = JvmInfo.jvmInfo().getMem().getHeapMax().getBytes() * PERCENT_OF_HEAP / 100;
        BreakerSettings defaults = new BreakerSettings(
                BREAKER, limit, 1.0, CircuitBreaker.Type.MEMORY, CircuitBreaker.Durability.TRANSIENT);
        return BreakerSettings.updateFromSettings(defaults, settings);
    }

    public void accountOn(CircuitBreaker circuitBreaker) {
        memory.set(new BreakerMemory(circuitBreaker, BREAKER));
    }

    public long limit() {
        CircuitBreaker breaker = memory.get().breaker();
        long limit = breaker.getLimit();
        return limit < 0 ? Long.MAX_VALUE : (long) (limit / breaker.getOverhead());
    }

    public long used() {
        return memory.get().breaker().getUsed();
    }

    @Override
    public void accept(long bytes) {
        memory.get().accept(bytes);
    }

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

        @Override
        public void accept(long bytes) {
            if (bytes > 0) {
                breaker.addEstimateBytesAndMaybeBreak(bytes, label);
            } else {
                breaker.addWithoutBreaking(bytes);
            }
        }
    }
}
