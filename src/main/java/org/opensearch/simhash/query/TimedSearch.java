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
 * Whether sharing a search among threads pays. It never changes matches. It travels from the query phase to the fetch phase, so
 * that the shard is not asked twice. The queries of a short search stay on the shard, with their plans. Thread-safe.
 */
final class TimedSearch {

    /** @param reader of the search; the context is no key, because OpenSearch rewrites with a copy of it */
    private record Timed(WeakReference<IndexReader> reader, List<SimHashQuery> queries) {}

    private final boolean isLong;
    /** Null after {@link #take}, and if there are no queries. */
    private final AtomicReference<Timed> timed;

    private TimedSearch(boolean isLong, Timed timed) {
        this.isLong = isLong;
        this.timed = new AtomicReference<>(timed);
    }

    static TimedSearch of(boolean isLong) {
        return new TimedSearch(isLong, null);
    }

    /**
     * Plans the queries until the answer is clear. Drops those of a long search, because each of its threads plans for itself.
     */
    static TimedSearch of(List<SimHashQuery> queries, QueryShardContext shard) {
        IndexReader reader = shard.getIndexReader();
        List<SimHashQuery> planned = LongSearch.planned(queries, reader);
        return planned == null
                ? new TimedSearch(true, null)
                : new TimedSearch(false, new Timed(new WeakReference<>(reader), planned));
    }

    /** Null if the query was not timed. */
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

    /** Hands over the queries once; null if they are taken or of another search. */
    List<SimHashQuery> take(QueryShardContext shard) {
        Timed before = timed.getAndSet(null);
        return before != null && before.reader().refersTo(shard.getIndexReader()) ? before.queries() : null;
    }
}
