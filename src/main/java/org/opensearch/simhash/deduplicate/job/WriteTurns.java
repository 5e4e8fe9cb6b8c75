/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.deduplicate.scan.Retries;

/**
 * When a job may send its next write request, and how long it has waited for its turns. A request is followed by a wait that is as
 * long as its documents may take. One thread writes; any may ask.
 */
final class WriteTurns {

    private static final long NOT = -1;

    private final LongSupplier nanoTime;
    private final Supplier<WritePace> pace;
    private volatile long lastStart;
    private volatile int lastDocuments;
    private volatile Waits waits = new Waits(0, NOT);

    /** Documents that were sent since the last steps were done. */
    private final AtomicLong sent = new AtomicLong();

    /**
     * How long it has waited. One value, so that nobody who reads it counts a wait twice.
     *
     * @param nanos of the waits that are over
     * @param since when this wait began
     */
    private record Waits(long nanos, long since) {}

    /** @param pace that of the moment */
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

    /** A request is sent now. */
    void sends(int documents) {
        lastStart = nanoTime.getAsLong();
        lastDocuments = documents;
        sent.addAndGet(documents);
    }

    /** What was sent so far belongs to steps that are done. */
    void stepped() {
        sent.set(0);
    }

    /** Nanoseconds that it has waited, this wait included. Never falls. */
    long waitedNanos() {
        // The time comes first: a wait that ends meanwhile would be counted beyond its end, and shorter the next time.
        long now = nanoTime.getAsLong();
        Waits current = waits;
        return current.nanos + (current.since == NOT ? 0 : Math.max(0, now - current.since));
    }

    /** Nanoseconds that this wait lasts yet; 0 when it does not wait. */
    long untilNanos() {
        return waits.since == NOT ? 0 : untilNext();
    }

    private long untilNext() {
        return Math.max(0, lastStart + pace.get().nanos(lastDocuments) - nanoTime.getAsLong());
    }

    /**
     * Nanoseconds until the last request is sent, at best.
     *
     * @param documents to be sent by all steps that are not done
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
