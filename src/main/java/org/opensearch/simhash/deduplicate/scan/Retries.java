/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.opensearch.OpenSearchException;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.common.unit.TimeValue;

/**
 * Repeats requests that the cluster rejects (HTTP 429): eleven times within a minute, with growing delays. A cancelled
 * task does not wait. Blocks: never call it on a transport thread.
 */
public final class Retries {

    private static final TimeValue MINUTE = TimeValue.timeValueMinutes(1);
    private static final BackoffPolicy BACKOFF = BackoffPolicy.exponentialBackoff(TimeValue.timeValueMillis(500), 11);
    private static final long PATIENCE_MILLIS = 100;

    private final Runnable ensureNotCancelled;
    private final BackoffPolicy backoff;

    /** @param ensureNotCancelled throws if the task is cancelled */
    public Retries(Runnable ensureNotCancelled) {
        this(ensureNotCancelled, MINUTE);
    }

    /** @param patience for the eleven times, roughly */
    public Retries(Runnable ensureNotCancelled, TimeValue patience) {
        this(ensureNotCancelled, scaled((double) patience.nanos() / MINUTE.nanos()));
    }

    /** @param backoff number of retries and delays */
    public Retries(Runnable ensureNotCancelled, BackoffPolicy backoff) {
        this.ensureNotCancelled = ensureNotCancelled;
        this.backoff = backoff;
    }

    private static BackoffPolicy scaled(double factor) {
        List<TimeValue> delays = new ArrayList<>();
        BACKOFF.forEach(delay -> delays.add(TimeValue.timeValueNanos((long) (factor * delay.nanos()))));
        return new BackoffPolicy() {
            @Override
            public Iterator<TimeValue> iterator() {
                return delays.iterator();
            }
        };
    }

    /** The delay before each retry. */
    public Iterator<TimeValue> delays() {
        return backoff.iterator();
    }

    /** Sends an idempotent request, and repeats it while it is rejected as a whole. */
    public <T> T call(Supplier<T> request) {
        for (Iterator<TimeValue> delays = delays(); ; ) {
            ensureNotCancelled.run();
            try {
                return request.get();
            } catch (RuntimeException e) {
                if (Rejections.isOne(e) == false || delays.hasNext() == false) {
                    throw Rejections.asTooMany(e);
                }
            }
            pause(delays.next());
        }
    }

    public void pause(TimeValue delay) {
        long end = System.nanoTime() + delay.nanos();
        waitUntil(() -> end);
    }

    /** Waits until {@link System#nanoTime()} reaches the value, which may change meanwhile. */
    public void waitUntil(LongSupplier nanoTime) {
        CountDownLatch never = new CountDownLatch(1);
        for (long wait = nanoTime.getAsLong() - System.nanoTime();
                wait > 0;
                wait = nanoTime.getAsLong() - System.nanoTime()) {
            ensureNotCancelled.run();
            await(never, Math.min(PATIENCE_MILLIS, 1 + wait / 1_000_000));
        }
    }

    /** Waits for the latch. A cancelled task waits for {@code whenCancelled} at most. */
    public void await(CountDownLatch isDone, TimeValue whenCancelled) {
        while (await(isDone, PATIENCE_MILLIS) == false) {
            try {
                ensureNotCancelled.run();
            } catch (RuntimeException e) {
                if (await(isDone, whenCancelled.millis()) == false) {
                    throw e;
                }
                return;
            }
        }
    }

    private static boolean await(CountDownLatch isDone, long millis) {
        try {
            return isDone.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OpenSearchException("interrupted", e);
        }
    }
}
