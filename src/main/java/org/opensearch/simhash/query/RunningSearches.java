/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;
import org.opensearch.index.query.QueryShardContext;

/**
 * Values of running searches, by the context that makes their queries. A value goes with its context at the latest. A look-up
 * costs one read while there are no values. Thread-safe.
 *
 * @param <V> the value of one search
 */
final class RunningSearches<V> {

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
