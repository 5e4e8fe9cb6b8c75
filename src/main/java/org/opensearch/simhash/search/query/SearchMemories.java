/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.opensearch.common.lease.Releasable;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.core.memory.Account;

/**
 * The memory that searches of shards keep while they run. Queries of percolators, explanations and validations belong
 * to no search and keep nothing. Thread-safe.
 */
public final class SearchMemories implements SearchOperationListener {

    private final RunningSearches<SearchMemory> kept = new RunningSearches<>();

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

    /**
     * The memory that the {@code simhash} clauses of one search of a shard keep until it is over, on the account of the node. Keeps
     * nothing until a search opens it, because not every query runs. Thread-safe.
     */
    static final class SearchMemory implements Releasable {

        private final Account account;
        private boolean isOpen;

        /** @param memory gets the bytes before they are taken and may refuse them; negative ones are given back */
        SearchMemory(LongConsumer memory) {
            this.account = new Account(memory);
        }

        /** Returns whether this call opened it. That caller must close it. */
        synchronized boolean open() {
            boolean wasClosed = isOpen == false;
            isOpen = true;
            return wasClosed;
        }

        /** Whether the bytes are on the account until the search is over. */
        synchronized boolean keep(long bytes) {
            if (isOpen) {
                account.take(bytes);
            }
            return isOpen;
        }

        @Override
        public synchronized void close() {
            isOpen = false;
            account.close();
        }
    }

    /**
     * Values of running searches, by the context that makes their queries. A value goes with its context at the latest. A look-up
     * costs one read while there are no values. Thread-safe.
     *
     * @param <V> the value of one search
     */
    static final class RunningSearches<V> {

        private final Map<QueryShardContext, V> searches = new WeakHashMap<>();
        /** At least the number of values. Collected ones count until the next change. */
        private volatile int atMost;

        /** Atomic. */
        synchronized V change(QueryShardContext search, UnaryOperator<V> change) {
            V changed = searches.compute(search, (s, value) -> change.apply(value));
            atMost = searches.size();
            return changed;
        }

        /** Null if there is none. */
        V get(QueryShardContext search) {
            if (atMost == 0) {
                return null;
            }
            synchronized (this) {
                return searches.get(search);
            }
        }

        /** Returns the value, or null. */
        V remove(QueryShardContext search) {
            if (atMost == 0) {
                return null;
            }
            synchronized (this) {
                V removed = searches.remove(search);
                atMost = searches.size();
                return removed;
            }
        }
    }
}
