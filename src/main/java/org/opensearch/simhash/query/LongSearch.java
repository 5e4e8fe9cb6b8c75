/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.index.IndexReader;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.index.IndexSettings;
import org.opensearch.search.SearchService;
import org.opensearch.simhash.match.PlannedLeaves;
import org.opensearch.simhash.match.SimHashQuery;

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
}
