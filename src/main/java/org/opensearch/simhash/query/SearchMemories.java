/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
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
    private final Map<QueryShardContext, SearchMemory> kept = Collections.synchronizedMap(new WeakHashMap<>());

    /** For all queries that were made with one context. */
    SearchMemory of(QueryShardContext shard, LongConsumer memory) {
        return kept.computeIfAbsent(shard, s -> new SearchMemory(memory));
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
        SearchMemory memory = kept.get(search.getQueryShardContext());
        if (memory != null && memory.open()) {
            search.addReleasable(memory);
        }
    }
}
