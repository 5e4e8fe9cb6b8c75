/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.opensearch.search.profile.ProfileMetric;

/**
 * What the scorers of one query did, for {@link SearchCounts} and for the profile API: there sums in the query's breakdown, and
 * each Lucene leaf's share. Where leaves are searched concurrently the API keeps a breakdown for each leaf and shows sums with
 * their spread over the threads.
 *
 * <p>Thread-safe; a few entries for each leaf.
 *
 * @param <E> what one scorer did: counts that go on growing until the search is over, and are read afterwards
 */
class EffortRecord<E> {

    private static final String PREFIX = "simhash_";

    private record Entry<E>(int leaf, E effort) {}

    /** The efforts that one breakdown shows: of all leaves, or of one. */
    private static final class Breakdown<E> {
        private final List<Entry<E>> entries = new CopyOnWriteArrayList<>();
    }

    /**
     * A thread makes the breakdown of a leaf right before it starts to search the leaf, which no other thread searches: while a
     * search is profiled, leaves are not shared. Lives as long as its query. Null while no
     * search is profiled: an entry that each search leaves in its thread would make work for all that follow.
     */
    private volatile ThreadLocal<Breakdown<E>> latest;

    private final Queue<E> all = new ConcurrentLinkedQueue<>();

    /** A scorer starts to work, in the thread that calls. */
    final void add(int leaf, E effort) {
        all.add(effort);
        ThreadLocal<Breakdown<E>> profiled = latest;
        if (profiled == null) {
            return;
        }
        Breakdown<E> breakdown = profiled.get();
        if (breakdown != null) {
            breakdown.entries.add(new Entry<>(leaf, effort));
        }
    }

    /** Of all scorers that started to work. */
    final Collection<E> efforts() {
        return all;
    }

    /**
     * What to make for each breakdown, in this order and by one thread.
     *
     * @param counts what is shown, by name; at least one
     */
    final Collection<Supplier<ProfileMetric>> metrics(Map<String, ToLongFunction<E>> counts) {
        ThreadLocal<Breakdown<E>> profiled = profiled();
        List<Supplier<ProfileMetric>> metrics = new ArrayList<>();
        counts.forEach((name, value) -> {
            boolean isFirst = metrics.isEmpty();
            metrics.add(() -> {
                if (isFirst) {
                    profiled.set(new Breakdown<>());
                }
                return metric(name, value);
            });
        });
        return metrics;
    }

    @SuppressWarnings("ThreadLocalUsage")
    private synchronized ThreadLocal<Breakdown<E>> profiled() {
        if (latest == null) {
            latest = new ThreadLocal<>();
        }
        return latest;
    }

    private ProfileMetric metric(String count, ToLongFunction<E> value) {
        Breakdown<E> breakdown = latest.get();
        return new ProfileMetric(PREFIX + count) {
            @Override
            public Map<String, Long> toBreakdownMap() {
                Map<String, Long> counts = new TreeMap<>();
                counts.put(getName(), 0L);
                for (Entry<E> entry : breakdown.entries) {
                    long counted = value.applyAsLong(entry.effort());
                    counts.merge(getName(), counted, Long::sum);
                    counts.merge(PREFIX + "leaf_" + entry.leaf() + "_" + count, counted, Long::sum);
                }
                return counts;
            }
        };
    }
}
