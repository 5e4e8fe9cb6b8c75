/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.IndexReader;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.match.SimHashQuery;

/**
 * What a shard found out of a search beforehand: whether it is worth sharing out among threads. Changes no match. Travels with the
 * request from the query phase to the fetch phase, so that the shard is not asked again; the queries by which a short search was
 * timed, which keep their plans for it, stay where they are. Thread-safe.
 */
final class TimedSearch {

    /** @param reader of the search; OpenSearch rewrites a request with a copy of the context that it makes queries with */
    private record Timed(WeakReference<IndexReader> reader, List<SimHashQuery> queries) {}

    private final boolean isLong;
    /** Until they are searched by; null afterwards, and when there are none. */
    private final AtomicReference<Timed> timed;

    private TimedSearch(boolean isLong, Timed timed) {
        this.isLong = isLong;
        this.timed = new AtomicReference<>(timed);
    }

    /** Nothing else is known. */
    static TimedSearch of(boolean isLong) {
        return new TimedSearch(isLong, null);
    }

    /** Plans the queries as far as it takes to know. Those of a long search are not kept: its threads plan, each for itself. */
    static TimedSearch of(List<SimHashQuery> queries, QueryShardContext shard) {
        boolean isLong = LongSearch.isExpected(queries, shard.getIndexReader());
        return new TimedSearch(isLong, isLong ? null : new Timed(new WeakReference<>(shard.getIndexReader()), queries));
    }

    /** Null when nobody asked. */
    static TimedSearch read(StreamInput in) throws IOException {
        Boolean isLong = in.readOptionalBoolean();
        return isLong == null ? null : of(isLong);
    }

    static void write(StreamOutput out, TimedSearch search) throws IOException {
        out.writeOptionalBoolean(search == null ? null : search.isLong);
    }

    boolean isLong() {
        return isLong;
    }

    /** The queries, to be searched by; null when they were taken before, or are not this search's. */
    List<SimHashQuery> take(QueryShardContext shard) {
        Timed before = timed.getAndSet(null);
        return before != null && before.reader().refersTo(shard.getIndexReader()) ? before.queries() : null;
    }
}
