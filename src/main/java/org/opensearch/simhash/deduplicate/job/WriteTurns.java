/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.deduplicate.scan.Retries;

/**
 * The pace of a job: when it may send the next write request, and how long it has waited. The wait after a request
 * depends on its number of documents. One thread writes; any thread may ask.
 */
final class WriteTurns {

    private static final long NOT = -1;

    private final LongSupplier nanoTime;
    private final Supplier<WritePace> pace;
    private volatile long lastStart;
    private volatile int lastDocuments;
    private volatile Waits waits = new Waits(0, NOT);

    /** Documents sent since the last finished steps. */
    private final AtomicLong sent = new AtomicLong();

    /**
     * One value, so that no reader counts a wait twice.
     *
     * @param nanos of finished waits
     * @param since start of the present wait
     */
    private record Waits(long nanos, long since) {}

    /** @param pace the present one */
    WriteTurns(LongSupplier nanoTime, Supplier<WritePace> pace) {
        this.nanoTime = nanoTime;
        this.pace = pace;
        this.lastStart = nanoTime.getAsLong();
    }

    /** Waits until the next request may be sent. */
    void await(Retries retries) {
        if (untilNext() == 0) {
            return;
        }
        long start = nanoTime.getAsLong();
        long before = waits.nanos;
        waits = new Waits(before, start);
        try {
            retries.waitUntil(() -> lastStart + pace.get().nanos(lastDocuments));
        } finally {
            waits = new Waits(before + nanoTime.getAsLong() - start, NOT);
        }
    }

    /** Records a request. */
    void sends(int documents) {
        lastStart = nanoTime.getAsLong();
        lastDocuments = documents;
        sent.addAndGet(documents);
    }

    /** The documents sent so far belong to finished steps. */
    void stepped() {
        sent.set(0);
    }

    /** Nanoseconds of all waits, the present one included. Never falls. */
    long waitedNanos() {
        // Reads the time first: else a wait that ends now would count too long, and shorter in the next call.
        long now = nanoTime.getAsLong();
        Waits current = waits;
        return current.nanos + (current.since == NOT ? 0 : Math.max(0, now - current.since));
    }

    /** Nanoseconds left of the present wait; 0 without one. */
    long untilNanos() {
        return waits.since == NOT ? 0 : untilNext();
    }

    private long untilNext() {
        return Math.max(0, lastStart + pace.get().nanos(lastDocuments) - nanoTime.getAsLong());
    }

    /**
     * Least nanoseconds until the last request is sent.
     *
     * @param documents of all unfinished steps
     */
    long nanosUntilLast(long documents) {
        long rest = Math.max(0, documents - sent.get());
        if (rest == 0) {
            return 0;
        }
        int each = lastDocuments > 0 ? lastDocuments : pace.get().scrollSize();
        long ofLast = rest % each == 0 ? each : rest % each;
        return untilNext() + pace.get().nanos(rest - ofLast);
    }
}
