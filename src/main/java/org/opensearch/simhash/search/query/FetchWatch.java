/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.SearchService;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.search.query.SearchMemories.RunningSearches;

/**
 * Tells whether a search still wants the evidence of its hits. OpenSearch checks for cancellation only between hits, and its
 * {@code timeout} only covers the query phase. The evidence may take the same time again. Thread-safe.
 */
public final class FetchWatch implements SearchOperationListener {

    private final RunningSearches<Limit> running = new RunningSearches<>();

    /** This is no error. */
    static final class TimeIsUpException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TimeIsUpException() {
            super("the search timed out", null, false, false);
        }
    }

    /** @param end in the time of {@link System#nanoTime}; null without a timeout */
    private record Limit(SearchContext search, Long end) {

        void check() {
            if (search.isCancelled()) {
                throw new TaskCancelledException(
                        "cancelled task with reason: " + search.getTask().getReasonCancelled());
            }
            if (end != null && System.nanoTime() - end > 0) {
                throw new TimeIsUpException();
            }
        }
    }

    @Override
    public void onPreFetchPhase(SearchContext search) {
        if (SimHashExt.isEvidenceWanted(search.getSearchExt(SimHashExt.NAME))) {
            QueryShardContext shard = search.getQueryShardContext();
            TimeValue timeout = search.timeout();
            boolean isLimited = timeout != null && SearchService.NO_TIMEOUT.equals(timeout) == false;
            Long end = isLimited ? System.nanoTime() + timeout.nanos() : null;
            Limit limit = new Limit(search, end);
            running.change(shard, any -> limit);
            search.addReleasable(() -> running.remove(shard));
        }
    }

    /** A check that throws {@link TimeIsUpException} if the time is up, another exception if the search is cancelled. */
    Runnable of(QueryShardContext shard) {
        Limit limit = running.get(shard);
        // Null, for example, if an aggregation fetches hits.
        return limit == null ? () -> {} : limit::check;
    }
}
