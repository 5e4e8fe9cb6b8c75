/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;

/** Recognises that a cluster rejected a request for lack of room. */
public final class Rejections {

    /** Start of the reason with which OpenSearch cancels a search after one part found no memory. */
    private static final String FATAL = "Fatal failure during search";

    /** Start of the only other reason, which has no colon. */
    private static final String PARENT = "The parent task was cancelled";

    private Rejections() {}

    /** Whether a failure is a rejection. */
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

    /**
     * The search has the status of its cancelled shards. A cancellation without reason counts as one for lack of
     * memory.
     */
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
    private static <T extends Throwable> Stream<T> causes(Throwable e, Class<T> type) {
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
