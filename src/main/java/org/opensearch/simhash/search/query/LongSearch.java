/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.lucene.index.IndexReader;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.SearchService;
import org.opensearch.simhash.search.match.SimHashQuery;
import org.opensearch.simhash.search.match.SimHashQuery.PlannedLeaves;

/**
 * Decides whether a search of a shard is shared among threads, by Lucene leaves and parts of them. Sharing costs some 50
 * microseconds, for the hand-over and the plan of each thread. Most searches are shorter.
 */
final class LongSearch {

    /** A scan of this many documents ends before sharing pays. */
    private static final int FEW_DOCUMENTS = 2_000_000;

    private static final double LONG_NANOS = 2_000_000;

    /** Up to this many queries times leaves keep their plans: less than a megabyte. */
    private static final int MOST_KEPT = 64;

    private LongSearch() {}

    /** Whether to ask {@link #planned}. If not, OpenSearch shares no such search. */
    static boolean isPossible(int documents, Supplier<ClusterSettings> cluster, IndexSettings index) {
        return documents >= FEW_DOCUMENTS && isShared(cluster.get(), index) && mostSlices(cluster.get(), index) != 1;
    }

    /** Follows {@code DefaultSearchContext}, with the old settings if no new one is set. */
    @SuppressWarnings("deprecation")
    static boolean isShared(ClusterSettings cluster, IndexSettings index) {
        if (index.isSearchThrottled() || index.getIndexMetadata().isSystem()) {
            return false;
        }
        String mode = index.getSettings()
                .get(
                        IndexSettings.INDEX_CONCURRENT_SEGMENT_SEARCH_MODE.getKey(),
                        cluster.getOrNull(SearchService.CLUSTER_CONCURRENT_SEGMENT_SEARCH_MODE));
        if (mode == null) {
            Boolean isEnabled = index.getSettings()
                    .getAsBoolean(
                            IndexSettings.INDEX_CONCURRENT_SEGMENT_SEARCH_SETTING.getKey(),
                            cluster.getOrNull(SearchService.CLUSTER_CONCURRENT_SEGMENT_SEARCH_SETTING));
            if (isEnabled != null) {
                return isEnabled;
            }
            mode = cluster.get(SearchService.CLUSTER_CONCURRENT_SEGMENT_SEARCH_MODE);
        }
        return mode.equals(SearchService.CONCURRENT_SEGMENT_SEARCH_MODE_NONE) == false;
    }

    /** One part per thread; 0 if Lucene decides. */
    static int mostSlices(ClusterSettings cluster, IndexSettings index) {
        int byDefault = cluster.get(SearchService.CONCURRENT_SEGMENT_SEARCH_TARGET_MAX_SLICE_COUNT_SETTING);
        return index.getSettings()
                .getAsInt(IndexSettings.INDEX_CONCURRENT_SEGMENT_SEARCH_MAX_SLICE_COUNT.getKey(), byDefault);
    }

    /** The queries with their plans if together they are short; null, without further planning, if they are long. */
    static List<SimHashQuery> planned(List<SimHashQuery> queries, IndexReader shard) {
        return planned(queries, shard, LONG_NANOS);
    }

    /** @param enough nanoseconds above which a search is long */
    static List<SimHashQuery> planned(List<SimHashQuery> queries, IndexReader shard, double enough) {
        boolean keepsPlans = queries.size() * shard.leaves().size() <= MOST_KEPT;
        List<SimHashQuery> planned = new ArrayList<>(queries.size());
        double nanos = 0;
        try {
            for (SimHashQuery query : queries) {
                PlannedLeaves leaves = query.plan(shard, enough - nanos);
                nanos += leaves.nanos();
                if (nanos > enough) {
                    return null;
                }
                planned.add(keepsPlans ? query.with(leaves) : query);
            }
            return planned;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether sharing a search among threads pays. It never changes matches. It travels from the query phase to the fetch phase, so
     * that the shard is not asked twice. The queries of a short search stay on the shard, with their plans. Thread-safe.
     */
    static final class TimedSearch {

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
}
