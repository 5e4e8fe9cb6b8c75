/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongPredicate;
import org.opensearch.simhash.search.match.LeafEffort;
import org.opensearch.simhash.search.match.PrintQuery;

/** How one print was searched for, for {@link SearchCounts}. Thread-safe. Keeps a few entries per leaf. */
final class PlanRecord implements PrintQuery.Listener {

    /** They grow until the search is over and are read afterwards. */
    private final Queue<LeafEffort> efforts = new ConcurrentLinkedQueue<>();

    private volatile LongPredicate memory = bytes -> false;
    /** The next leaf of a thread reuses what the last one kept. */
    private final Map<Thread, Long> kept = new ConcurrentHashMap<>();

    /** @param taking takes bytes until the search is over; throws to refuse them; returns false if no search is open */
    void pays(LongPredicate taking) {
        memory = taking;
    }

    Collection<LeafEffort> efforts() {
        return efforts;
    }

    @Override
    public void started(LeafEffort effort) {
        efforts.add(effort);
    }

    @Override
    public void keeps(long bytes) {
        kept.compute(Thread.currentThread(), (thread, before) -> {
            long beforeBytes = before == null ? 0 : before;
            return bytes > beforeBytes && memory.test(bytes - beforeBytes) ? Long.valueOf(bytes) : before;
        });
    }
}
