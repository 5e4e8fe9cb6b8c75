/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.opensearch.simhash.search.match.LeafEffort;
import org.opensearch.simhash.search.match.PrintQuery;

/**
 * What the scorers of one query did, for {@link SearchCounts}.
 *
 * <p>Thread-safe. Keeps a few entries per leaf.
 *
 * @param <E> counts of one scorer; they grow until the search is over and are read afterwards
 */
class EffortRecord<E> {

    private final Queue<E> all = new ConcurrentLinkedQueue<>();

    final void add(E effort) {
        all.add(effort);
    }

    final Collection<E> efforts() {
        return all;
    }

    /** How many texts one query compared. Thread-safe. */
    static final class TextRecord extends EffortRecord<AtomicLong> {

        /** Call it in the scorer's thread. */
        AtomicLong started() {
            AtomicLong verified = new AtomicLong();
            add(verified);
            return verified;
        }
    }

    /** How one fingerprint was searched for. Thread-safe. */
    static final class PlanRecord extends EffortRecord<LeafEffort> implements PrintQuery.Listener {

        private volatile LongPredicate memory = bytes -> false;
        /** The next leaf of a thread reuses what the last one kept. */
        private final Map<Thread, Long> kept = new ConcurrentHashMap<>();

        /** @param taking takes bytes until the search is over; throws to refuse them; returns false if no search is open */
        void pays(LongPredicate taking) {
            memory = taking;
        }

        @Override
        public void started(LeafEffort effort) {
            add(effort);
        }

        @Override
        public void keeps(long bytes) {
            kept.compute(Thread.currentThread(), (thread, before) -> {
                long beforeBytes = before == null ? 0 : before;
                return bytes > beforeBytes && memory.test(bytes - beforeBytes) ? Long.valueOf(bytes) : before;
            });
        }
    }
}
