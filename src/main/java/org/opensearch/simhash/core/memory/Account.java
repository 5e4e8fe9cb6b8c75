/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The bytes that one piece of work took from a shared memory, so that all can be given back. Never less than 0, so a
 * shared breaker never counts less than others took. Thread-safe.
 */
public final class Account implements AutoCloseable, LongConsumer {

    private final LongConsumer memory;
    private final AtomicLong taken = new AtomicLong();

    public Account(LongConsumer memory) {
        this.memory = memory;
    }

    /** @param bytes not negative: a size that overflowed must not lower what others took */
    public void take(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("[bytes] must not be negative, got: " + bytes);
        }
        memory.accept(bytes);
        taken.addAndGet(bytes);
    }

    /** Gives back bytes, never more than were taken. */
    public void give(long bytes) {
        long before = taken.getAndUpdate(now -> now - Math.clamp(bytes, 0, now));
        long given = Math.clamp(bytes, 0, before);
        if (given > 0) {
            memory.accept(-given);
        }
        assert given == bytes : bytes + " bytes given back of " + before;
    }

    public long taken() {
        return taken.get();
    }

    /** Takes bytes; negative ones are given back. */
    @Override
    public void accept(long bytes) {
        if (bytes < 0) {
            give(-bytes);
        } else {
            take(bytes);
        }
    }

    /** Gives back the rest; never fails. */
    @Override
    public void close() {
        long left = taken.getAndSet(0);
        if (left > 0) {
            memory.accept(-left);
        }
    }
}
