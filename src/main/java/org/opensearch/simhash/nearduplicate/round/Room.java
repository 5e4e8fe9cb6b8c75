/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.round;

import java.util.function.Consumer;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.nearduplicate.lookup.NodeLookups;
import org.opensearch.threadpool.ThreadPool;

/**
 * Memory for what is looked up for one bulk, some documents after others. Where there is none, waits for it without a thread: all in all as long as a lookup may
 * take. One thread at a time.
 */
final class Room {

    private static final TimeValue PAUSE = TimeValue.timeValueMillis(50);

    private final Account memory;
    private final NodeLookups lookups;
    private final long held;
    private long pauses;

    /** @param held bytes that are taken besides, as long as any are */
    Room(Account memory, NodeLookups lookups, long held) {
        this.memory = memory;
        this.lookups = lookups;
        this.held = held;
        this.pauses = lookups.timeout().get().millis() / PAUSE.millis();
    }

    /**
     * Takes memory.
     *
     * @param then runs when it is taken, at once if there is any
     * @param onRefusal runs when there is none for too long
     * @param onFailure is told what the others throw on another thread
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

    /** Null when the memory is taken. */
    private CircuitBreakingException refusal(long bytes) {
        try {
            memory.take(bytes + held);
            return null;
        } catch (CircuitBreakingException e) {
            return e;
        }
    }

    /** @throws CircuitBreakingException when there is none */
    void takeNow(long bytes) {
        memory.take(bytes);
    }

    /** Gives back all that is taken. */
    void close() {
        memory.close();
    }
}
