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
 * What a cluster has no room for (HTTP 429) is tried again, later and later, and not for ever: eleven times within a minute. A
 * cancelled task does not wait. Waits: not for transport threads.
 */
public final class Retries {

    private static final TimeValue MINUTE = TimeValue.timeValueMinutes(1);
    private static final BackoffPolicy BACKOFF = BackoffPolicy.exponentialBackoff(TimeValue.timeValueMillis(500), 11);
    private static final long PATIENCE_MILLIS = 100;

    private final Runnable ensureNotCancelled;
    private final BackoffPolicy backoff;

    /** @param ensureNotCancelled throws when the task was cancelled */
    public Retries(Runnable ensureNotCancelled) {
        this(ensureNotCancelled, MINUTE);
    }

    /** @param patience for the eleven times, roughly */
    public Retries(Runnable ensureNotCancelled, TimeValue patience) {
        this(ensureNotCancelled, scaled((double) patience.nanos() / MINUTE.nanos()));
    }

    /** @param backoff how often to try again, and how long to wait each time */
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

    /** How long to wait before each further try. */
    public Iterator<TimeValue> delays() {
        return backoff.iterator();
    }

    /** Sends a request that may be sent twice, and again as long as it is rejected as a whole. */
    public <T> T call(Supplier<T> request) {
        for (Iterator<TimeValue> delays = delays(); ; ) {
            ensureNotCancelled.run();
            try {
                return request.get();
            } catch (RuntimeException e) {
                if (Rejections.isOne(e) == false || delays.hasNext() == false) {
                    throw Rejections.told(e);
                }
            }
            pause(delays.next());
        }
    }

    public void pause(TimeValue delay) {
        long end = System.nanoTime() + delay.nanos();
        waitUntil(() -> end);
    }

    /** Waits until {@link System#nanoTime()} is as late as that, which is asked for again and again. */
    public void waitUntil(LongSupplier nanoTime) {
        CountDownLatch never = new CountDownLatch(1);
        for (long wait = nanoTime.getAsLong() - System.nanoTime();
                wait > 0;
                wait = nanoTime.getAsLong() - System.nanoTime()) {
            ensureNotCancelled.run();
            await(never, Math.min(PATIENCE_MILLIS, 1 + wait / 1_000_000));
        }
    }

    /** Waits for what ends when it is done; a cancelled task, too, though not for longer than that. */
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
