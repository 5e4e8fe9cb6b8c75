/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.memory;

import java.util.function.LongConsumer;
import org.apache.lucene.util.SetOnce;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.monitor.jvm.JvmInfo;

/**
 * What fingerprinting may take of the heap: a circuit breaker of its own, {@code simhash}, by default
 * {@value #PERCENT_OF_HEAP} % of the heap for all documents in work together. A document that would take more is refused with
 * HTTP 429 before the memory is taken. Thread-safe.
 *
 * <p>The settings are OpenSearch's for a plugin's breaker, of the node or of the running cluster: {@code breaker.simhash.limit}
 * (bytes, or a share of the heap such as {@code 10%}) and {@code breaker.simhash.overhead} (a factor, 1). A limit that is
 * changed in the running cluster brings OpenSearch's overhead of 2 with it unless the overhead is set too. Node statistics
 * show the breaker as {@code breakers.simhash}.
 */
public final class FingerprintMemory implements LongConsumer {

    static final String BREAKER = "simhash";
    static final int PERCENT_OF_HEAP = 25;

    private final SetOnce<BreakerMemory> memory = new SetOnce<>();

    /** The breaker's defaults, and what {@code breaker.simhash.*} settings say. */
    public static BreakerSettings breaker(Settings settings) {
        long limit = JvmInfo.jvmInfo().getMem().getHeapMax().getBytes() * PERCENT_OF_HEAP / 100;
        BreakerSettings defaults = new BreakerSettings(
                BREAKER, limit, 1.0, CircuitBreaker.Type.MEMORY, CircuitBreaker.Durability.TRANSIENT);
        return BreakerSettings.updateFromSettings(defaults, settings);
    }

    public void accountOn(CircuitBreaker circuitBreaker) {
        memory.set(new BreakerMemory(circuitBreaker, BREAKER));
    }

    /** Bytes that may be taken altogether, as the breaker is set at the moment. */
    public long limit() {
        CircuitBreaker breaker = memory.get().breaker();
        long limit = breaker.getLimit();
        return limit < 0 ? Long.MAX_VALUE : (long) (limit / breaker.getOverhead());
    }

    /** Bytes that are taken now. */
    public long used() {
        return memory.get().breaker().getUsed();
    }

    /** Takes bytes, or gives them back when negative. */
    @Override
    public void accept(long bytes) {
        memory.get().accept(bytes);
    }
}
