/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** What one piece of work has taken of a memory that many share, so that all of it can be given back. Thread-safe. */
public final class Account implements AutoCloseable, LongConsumer {

    private final LongConsumer memory;
    private final AtomicLong taken = new AtomicLong();

    /** @param memory is told the bytes before they are taken, and may refuse them; negative ones are given back */
    public Account(LongConsumer memory) {
        this.memory = memory;
    }

    public void take(long bytes) {
        accept(bytes);
    }

    public void give(long bytes) {
        accept(-bytes);
    }

    /** The bytes that are taken now. */
    public long taken() {
        return taken.get();
    }

    /** Takes bytes, or gives them back when negative. */
    @Override
    public void accept(long bytes) {
        memory.accept(bytes);
        taken.addAndGet(bytes);
    }

    /** Gives back what is left. */
    @Override
    public void close() {
        long left = taken.getAndSet(0);
        if (left != 0) {
            memory.accept(-left);
        }
    }
}
