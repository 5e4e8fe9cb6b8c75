/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchPhaseExecutionException;

/** The causes of a failed search: the exception itself and those of its shards. */
final class SearchFailures {

    private SearchFailures() {}

    /** The causes that are, or wrap, an exception of this type. */
    static <T extends Throwable> Stream<T> of(Throwable e, Class<T> type) {
        Throwable cause = ExceptionsHelper.unwrapCause(e);
        Stream<Throwable> ofShards = cause instanceof SearchPhaseExecutionException search
                ? Arrays.stream(search.shardFailures()).map(failure -> failure.getCause())
                : Stream.of();
        return Stream.concat(Stream.of(cause), ofShards)
                .map(failure -> type.cast(ExceptionsHelper.unwrap(failure, type)))
                .filter(Objects::nonNull);
    }

    static boolean has(Throwable e, Class<? extends Throwable> type) {
        return of(e, type).findAny().isPresent();
    }
}
