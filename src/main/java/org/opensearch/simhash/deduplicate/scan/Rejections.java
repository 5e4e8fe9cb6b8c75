/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;

/** By what it shows that a cluster had no room for a request. */
public final class Rejections {

    /** So begins the reason for which OpenSearch cancels what is left of a search of which a part found no memory. */
    private static final String FATAL = "Fatal failure during search";

    /** So begins the other message that has a reason, without a colon. */
    private static final String PARENT = "The parent task was cancelled";

    private Rejections() {}

    /** Whether there was no room. */
    public static boolean isOne(Exception e) {
        Throwable cause = ExceptionsHelper.unwrapCause(e);
        return isTold(cause) || (cause instanceof SearchPhaseExecutionException search && hidesOne(search));
    }

    /** The same as HTTP 429, whatever status it has; other failures as they are. */
    static RuntimeException told(RuntimeException e) {
        Throwable cause = ExceptionsHelper.unwrapCause(e);
        if (isTold(cause) || isOne(e) == false) {
            return e;
        }
        String reason = SearchFailures.of(cause, CircuitBreakingException.class)
                .map(Throwable::getMessage)
                .findFirst()
                .orElse("it was cancelled when a part of it found no memory");
        return new OpenSearchStatusException("no room for a search: " + reason, RestStatus.TOO_MANY_REQUESTS, e);
    }

    private static boolean isTold(Throwable cause) {
        return ExceptionsHelper.status(cause) == RestStatus.TOO_MANY_REQUESTS;
    }

    /** The status is that of the shards that were cancelled. Some do not say why: they count as if they said this. */
    private static boolean hidesOne(SearchPhaseExecutionException search) {
        return SearchFailures.has(search, CircuitBreakingException.class)
                || SearchFailures.of(search, TaskCancelledException.class)
                        .anyMatch(cancelled -> isForMemory(String.valueOf(cancelled.getMessage())));
    }

    private static boolean isForMemory(String cancelled) {
        boolean hasReason = cancelled.contains(":") || cancelled.contains(PARENT);
        return cancelled.contains(FATAL) || hasReason == false;
    }
}
