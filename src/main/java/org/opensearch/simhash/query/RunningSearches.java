/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;
import org.opensearch.index.query.QueryShardContext;

/**
 * What there is of searches that are not over, by what their queries were made with, and gone with that at the latest. Every search
 * of the node asks: while no search has anything here, that costs one look at a number. Thread-safe.
 *
 * @param <V> of one search
 */
final class RunningSearches<V> {

    private final Map<QueryShardContext, V> searches = new WeakHashMap<>();
    /** At least as many as there are: those that went by themselves count until the next change. */
    private volatile int most;

    /** Nobody else changes the value meanwhile. */
    synchronized V change(QueryShardContext search, UnaryOperator<V> change) {
        V changed = searches.compute(search, (s, value) -> change.apply(value));
        most = searches.size();
        return changed;
    }

    /** Null when there is nothing. */
    V get(QueryShardContext search) {
        if (most == 0) {
            return null;
        }
        synchronized (this) {
            return searches.get(search);
        }
    }

    /** What there was; null when there was nothing. */
    V remove(QueryShardContext search) {
        if (most == 0) {
            return null;
        }
        synchronized (this) {
            V removed = searches.remove(search);
            most = searches.size();
            return removed;
        }
    }
}
