/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.round;

import java.util.function.Consumer;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.nearduplicate.lookup.NodeLookups;
import org.opensearch.threadpool.ThreadPool;

/**
 * Memory for the lookups of one bulk. If refused, it waits without a thread, in total as long as a lookup's timeout.
 * One thread at a time.
 */
final class Room {

    private static final TimeValue PAUSE = TimeValue.timeValueMillis(50);

    private final Account memory;
    private final NodeLookups lookups;
    private final long held;
    private long pauses;

    /** @param held bytes to take in addition, once for each round */
    Room(Account memory, NodeLookups lookups, long held) {
        this.memory = memory;
        this.lookups = lookups;
        this.held = held;
        this.pauses = lookups.timeout().get().millis() / PAUSE.millis();
    }

    /**
     * @param then runs when memory is taken, now if possible
     * @param onRefusal runs after too long a wait
     * @param onFailure gets what the others throw on another thread
     */
    void take(long bytes, Runnable then, Consumer<CircuitBreakingException> onRefusal, Consumer<Exception> onFailure) {
        CircuitBreakingException refusal = refusal(bytes);
        if (refusal == null) {
            then.run();
        } else if (pauses-- > 0) {
            Runnable again = lookups.threadContext()
                    .preserveContext(() -> lookups.fork(() -> take(bytes, then, onRefusal, onFailure), onFailure));
            lookups.client().threadPool().schedule(again, PAUSE, ThreadPool.Names.SAME);
        } else {
            onRefusal.accept(refusal);
        }
    }

    /** Null if memory was taken. */
    private CircuitBreakingException refusal(long bytes) {
        try {
            memory.take(bytes + held);
            return null;
        } catch (CircuitBreakingException e) {
            return e;
        }
    }

    /** @throws CircuitBreakingException if refused */
    void takeNow(long bytes) {
        memory.take(bytes);
    }

    void close() {
        memory.close();
    }
}
