/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.concurrent.TimeUnit;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.SearchService;
import org.opensearch.search.internal.SearchContext;

/**
 * Whether a search still wants what is made for its hits: OpenSearch looks after that between hits only, and applies {@code timeout}
 * to the finding of hits only. Evidence gets the time of {@code timeout}, from the beginning of the fetch. Thread-safe.
 */
public final class FetchWatch implements SearchOperationListener {

    private final RunningSearches<Limit> running = new RunningSearches<>();

    /** The search has no time left; nothing is wrong. */
    static final class TimeIsUpException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TimeIsUpException() {
            super("the search timed out", null, false, false);
        }
    }

    /** @param end by {@link System#nanoTime}; null when there is none */
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
        if (EvidencePhase.isWanted(search.getSearchExt(EvidenceRequest.NAME))) {
            QueryShardContext shard = search.getQueryShardContext();
            TimeValue timeout = search.timeout();
            boolean isLimited = timeout != null && SearchService.NO_TIMEOUT.equals(timeout) == false;
            Long end = isLimited ? System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeout.millis()) : null;
            Limit limit = new Limit(search, end);
            running.change(shard, any -> limit);
            search.addReleasable(() -> running.remove(shard));
        }
    }

    /**
     * Throws when what is made for the hits of a search is not wanted any more; {@link TimeIsUpException} when that is for want of time.
     */
    Runnable of(QueryShardContext shard) {
        Limit limit = running.get(shard);
        // As when an aggregation fetches hits.
        return limit == null ? () -> {} : limit::check;
    }
}
