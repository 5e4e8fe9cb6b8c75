/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** The bytes that one piece of work took from a shared memory, so that all can be given back. Thread-safe. */
public final class Account implements AutoCloseable, LongConsumer {

    private final LongConsumer memory;
    private final AtomicLong taken = new AtomicLong();

    public Account(LongConsumer memory) {
        this.memory = memory;
    }

    public void take(long bytes) {
        accept(bytes);
    }

    public void give(long bytes) {
        accept(-bytes);
    }

    /** The bytes taken now. */
    public long taken() {
        return taken.get();
    }

    /** Takes bytes; negative ones are given back. */
    @Override
    public void accept(long bytes) {
        memory.accept(bytes);
        taken.addAndGet(bytes);
    }

    /** Gives back the rest. */
    @Override
    public void close() {
        long left = taken.getAndSet(0);
        if (left != 0) {
            memory.accept(-left);
        }
    }
}
