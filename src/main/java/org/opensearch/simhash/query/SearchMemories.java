/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.function.LongConsumer;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/**
 * The memory that searches of shards keep while they run. Queries of percolators, explanations and validations belong
 * to no search and keep nothing. Thread-safe.
 */
public final class SearchMemories implements SearchOperationListener {

    private final RunningSearches<SearchMemory> kept = new RunningSearches<>();

    /** One for all queries of a context. */
    SearchMemory of(QueryShardContext shard, LongConsumer memory) {
        return kept.change(shard, opened -> opened == null ? new SearchMemory(memory) : opened);
    }

    @Override
    public void onPreQueryPhase(SearchContext search) {
        open(search);
    }

    @Override
    public void onPreFetchPhase(SearchContext search) {
        open(search);
    }

    private void open(SearchContext search) {
        QueryShardContext shard = search.getQueryShardContext();
        SearchMemory memory = kept.get(shard);
        if (memory != null && memory.open()) {
            search.addReleasable(() -> {
                kept.remove(shard);
                memory.close();
            });
        }
    }
}
