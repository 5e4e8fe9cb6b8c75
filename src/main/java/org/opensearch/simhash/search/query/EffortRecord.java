/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.opensearch.search.profile.ProfileMetric;
import org.opensearch.simhash.search.match.LeafEffort;
import org.opensearch.simhash.search.match.LeafEffort.Plan;
import org.opensearch.simhash.search.match.PrintQuery;

/**
 * What the scorers of one query did, for {@link SearchCounts} and the profile API. The API shows sums in the query's breakdown
 * and the share of each Lucene leaf. If several threads search the leaves, it keeps a breakdown per leaf.
 *
 * <p>Thread-safe. Keeps a few entries per leaf.
 *
 * @param <E> counts of one scorer; they grow until the search is over and are read afterwards
 */
class EffortRecord<E> {

    private static final String PREFIX = "simhash_";

    private record Entry<E>(int leaf, E effort) {}

    /**
     * A thread makes the breakdown of a leaf right before it searches that leaf. A profiled search does not share a leaf among
     * threads. Null without a profile, so that ordinary searches leave nothing in their threads.
     */
    private volatile ThreadLocal<List<Entry<E>>> latest;

    private final Queue<E> all = new ConcurrentLinkedQueue<>();

    /** Call it in the scorer's thread, before the scorer starts. */
    final void add(int leaf, E effort) {
        all.add(effort);
        ThreadLocal<List<Entry<E>>> profiled = latest;
        List<Entry<E>> breakdown = profiled == null ? null : profiled.get();
        if (breakdown != null) {
            breakdown.add(new Entry<>(leaf, effort));
        }
    }

    final Collection<E> efforts() {
        return all;
    }

    /**
     * One supplier per count. One thread calls them in this order for each breakdown.
     *
     * @param counts by name; at least one
     */
    final Collection<Supplier<ProfileMetric>> metrics(Map<String, ToLongFunction<E>> counts) {
        ThreadLocal<List<Entry<E>>> profiled = profiled();
        List<Supplier<ProfileMetric>> metrics = new ArrayList<>();
        counts.forEach((name, value) -> {
            boolean isFirst = metrics.isEmpty();
            metrics.add(() -> {
                if (isFirst) {
                    profiled.set(new CopyOnWriteArrayList<>());
                }
                return metric(name, value);
            });
        });
        return metrics;
    }

    @SuppressWarnings("ThreadLocalUsage")
    private synchronized ThreadLocal<List<Entry<E>>> profiled() {
        if (latest == null) {
            latest = new ThreadLocal<>();
        }
        return latest;
    }

    private ProfileMetric metric(String count, ToLongFunction<E> value) {
        List<Entry<E>> breakdown = latest.get();
        return new ProfileMetric(PREFIX + count) {
            @Override
            public Map<String, Long> toBreakdownMap() {
                Map<String, Long> counts = new TreeMap<>();
                counts.put(getName(), 0L);
                for (Entry<E> entry : breakdown) {
                    long counted = value.applyAsLong(entry.effort());
                    counts.merge(getName(), counted, Long::sum);
                    counts.merge(PREFIX + "leaf_" + entry.leaf() + "_" + count, counted, Long::sum);
                }
                return counts;
            }
        };
    }

    /** How many texts one query compared. Thread-safe. */
    static final class TextRecord extends EffortRecord<AtomicLong> {

        /** Call it in the scorer's thread. */
        AtomicLong started(int leaf) {
            AtomicLong verified = new AtomicLong();
            add(leaf, verified);
            return verified;
        }

        Collection<Supplier<ProfileMetric>> metrics() {
            return metrics(Map.of("verified", AtomicLong::get));
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
            add(effort.leaf(), effort);
        }

        @Override
        public void keeps(long bytes) {
            kept.compute(Thread.currentThread(), (thread, before) -> {
                long beforeBytes = before == null ? 0 : before;
                return bytes > beforeBytes && memory.test(bytes - beforeBytes) ? Long.valueOf(bytes) : before;
            });
        }

        Collection<Supplier<ProfileMetric>> metrics() {
            Map<String, ToLongFunction<LeafEffort>> counts = new LinkedHashMap<>();
            counts.put("probes", LeafEffort::probes);
            counts.put("candidates", LeafEffort::candidates);
            counts.put("scanned", LeafEffort::scanned);
            counts.put("compared", LeafEffort::compared);
            counts.put("matches", LeafEffort::matches);
            for (Plan plan : Plan.values()) {
                counts.put(
                        "leaves_by_" + plan.name().toLowerCase(Locale.ROOT), effort -> effort.plan() == plan ? 1 : 0);
            }
            return metrics(counts);
        }
    }
}
