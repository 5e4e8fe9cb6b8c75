/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.function.LongConsumer;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/**
 * What the node's searches of shards keep until they are over: opened when such a search begins, and closed with it. The queries that
 * a percolator makes, those of an explanation or a validation are no search's, and keep nothing. Thread-safe.
 */
public final class SearchMemories implements SearchOperationListener {

    /** By what a search's queries were made with; goes with it. */
    private final RunningSearches<SearchMemory> kept = new RunningSearches<>();

    /** For all queries that were made with one context. */
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
