/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.index.IndexReader;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.index.IndexSettings;
import org.opensearch.search.SearchService;
import org.opensearch.simhash.match.SimHashQuery;

/**
 * Which searches of a shard are worth sharing out among threads, by Lucene leaves and parts of them. To hand work to other
 * threads and to plan in each of them costs some 50 microseconds: most searches end sooner.
 */
final class LongSearch {

    /** A scan of so many documents ends before the work is shared out with a profit. */
    private static final int FEW_DOCUMENTS = 2_000_000;

    private static final double LONG_NANOS = 2_000_000;

    /** Plans of so many queries and leaves are kept for the search: less than a megabyte. */
    private static final int MOST_KEPT = 64;

    private LongSearch() {}

    /** Whether to ask {@link #isExpected}: OpenSearch would share the search out. */
    static boolean isPossible(int documents, Supplier<ClusterSettings> cluster, IndexSettings index) {
        return documents >= FEW_DOCUMENTS && isShared(cluster.get(), index) && mostSlices(cluster.get(), index) != 1;
    }

    /**
     * Whether OpenSearch lets threads share a search of the index at all: what {@code DefaultSearchContext} makes of the same
     * settings, old ones where no new one is set.
     */
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

    /** Parts, one for each thread, that OpenSearch may divide a search of the index into; 0 when Lucene decides. */
    static int mostSlices(ClusterSettings cluster, IndexSettings index) {
        int byDefault = cluster.get(SearchService.CONCURRENT_SEGMENT_SEARCH_TARGET_MAX_SLICE_COUNT_SETTING);
        return index.getSettings()
                .getAsInt(IndexSettings.INDEX_CONCURRENT_SEGMENT_SEARCH_MAX_SLICE_COUNT.getKey(), byDefault);
    }

    /**
     * Costs as much as planning the searches, or the first of them that are long enough together. Of short ones the queries keep
     * the plans.
     */
    static boolean isExpected(List<SimHashQuery> queries, IndexReader shard) {
        return nanos(queries, shard, LONG_NANOS) > LONG_NANOS;
    }

    /** What the searches are expected to take; of more than {@code enough} only that it is more. */
    static double nanos(List<SimHashQuery> queries, IndexReader shard, double enough) {
        boolean keepsPlans = queries.size() * shard.leaves().size() <= MOST_KEPT;
        try {
            double nanos = 0;
            for (int i = 0; i < queries.size() && nanos <= enough; i++) {
                nanos += queries.get(i).expectedNanos(shard, enough - nanos, keepsPlans);
            }
            return nanos;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
