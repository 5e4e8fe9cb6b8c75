/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.bulk.BackoffPolicy;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;

/**
 * Repeats requests that the cluster rejects (HTTP 429): eleven times within a minute, with growing delays. A cancelled
 * task does not wait. Blocks: never call it on a transport thread.
 *
 * @param ensureNotCancelled throws if the task is cancelled
 * @param backoff delays before each retry
 */
public record Retries(Runnable ensureNotCancelled, Iterable<TimeValue> backoff) {

    private static final TimeValue MINUTE = TimeValue.timeValueMinutes(1);
    private static final BackoffPolicy BACKOFF = BackoffPolicy.exponentialBackoff(TimeValue.timeValueMillis(500), 11);
    private static final long PATIENCE_MILLIS = 100;

    public Retries(Runnable ensureNotCancelled) {
        this(ensureNotCancelled, MINUTE);
    }

    /** @param patience for the eleven times, roughly */
    public Retries(Runnable ensureNotCancelled, TimeValue patience) {
        this(ensureNotCancelled, scaled((double) patience.nanos() / MINUTE.nanos()));
    }

    private static List<TimeValue> scaled(double factor) {
        List<TimeValue> delays = new ArrayList<>();
        BACKOFF.forEach(delay -> delays.add(TimeValue.timeValueNanos((long) (factor * delay.nanos()))));
        return delays;
    }

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

    /** Recognises that a cluster rejected a request for lack of room. */
    public static final class Rejections {

        /** Start of the reason with which OpenSearch cancels a search after one part found no memory. */
        private static final String FATAL = "Fatal failure during search";

        /** Start of the only other reason, which has no colon. */
        private static final String PARENT = "The parent task was cancelled";

        private Rejections() {}

        public static boolean isOne(Exception e) {
            Throwable cause = ExceptionsHelper.unwrapCause(e);
            return hasItsStatus(cause) || (cause instanceof SearchPhaseExecutionException search && hidesOne(search));
        }

        /** Turns a rejection with another status into HTTP 429. Returns other failures unchanged. */
        static RuntimeException asTooMany(RuntimeException e) {
            Throwable cause = ExceptionsHelper.unwrapCause(e);
            if (hasItsStatus(cause) || isOne(e) == false) {
                return e;
            }
            String reason = causes(cause, CircuitBreakingException.class)
                    .map(Throwable::getMessage)
                    .findFirst()
                    .orElse("it was cancelled when a part of it found no memory");
            return new OpenSearchStatusException("no room for a search: " + reason, RestStatus.TOO_MANY_REQUESTS, e);
        }

        private static boolean hasItsStatus(Throwable cause) {
            return ExceptionsHelper.status(cause) == RestStatus.TOO_MANY_REQUESTS;
        }

        /** The search has the status of its cancelled shards. A cancellation without reason counts as one for lack of memory. */
        private static boolean hidesOne(SearchPhaseExecutionException search) {
            return isCausedBy(search, CircuitBreakingException.class)
                    || causes(search, TaskCancelledException.class)
                            .anyMatch(cancelled -> isForMemory(String.valueOf(cancelled.getMessage())));
        }

        private static boolean isForMemory(String cancelled) {
            boolean hasReason = cancelled.contains(":") || cancelled.contains(PARENT);
            return cancelled.contains(FATAL) || hasReason == false;
        }

        /** The causes of a failed search, itself and those of its shards, that are, or wrap, an exception of this type. */
        static <T extends Throwable> Stream<T> causes(Throwable e, Class<T> type) {
            Throwable cause = ExceptionsHelper.unwrapCause(e);
            Stream<Throwable> ofShards = cause instanceof SearchPhaseExecutionException search
                    ? Arrays.stream(search.shardFailures()).map(failure -> failure.getCause())
                    : Stream.of();
            return Stream.concat(Stream.of(cause), ofShards)
                    .map(failure -> type.cast(ExceptionsHelper.unwrap(failure, type)))
                    .filter(Objects::nonNull);
        }

        static boolean isCausedBy(Throwable e, Class<? extends Throwable> type) {
            return causes(e, type).findAny().isPresent();
        }
    }
}
