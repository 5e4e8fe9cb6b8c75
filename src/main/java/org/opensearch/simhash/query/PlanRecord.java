/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.opensearch.search.profile.ProfileMetric;
import org.opensearch.simhash.match.LeafEffort;
import org.opensearch.simhash.match.LeafEffort.Plan;
import org.opensearch.simhash.match.PlanListener;

/**
 * What one query did, for {@link SearchCounts} and for the profile API: there sums in the query's breakdown, and each Lucene
 * leaf's share. Where leaves are searched concurrently the API keeps a breakdown for each leaf and shows sums with their spread
 * over the threads.
 *
 * <p>Thread-safe; a few entries for each leaf.
 */
final class PlanRecord implements PlanListener {

    private static final String PREFIX = "simhash_";

    /** The efforts that one breakdown shows: of all leaves, or of one. */
    private static final class Breakdown {
        private final List<LeafEffort> efforts = new CopyOnWriteArrayList<>();
    }

    /**
     * A thread makes the breakdown of a leaf right before it starts to search the leaf. Lives as long as its query. Null while no
     * search is profiled: an entry that each search leaves in its thread would make work for all that follow.
     */
    private volatile ThreadLocal<Breakdown> latest;

    private final Map<Integer, Breakdown> byLeaf = new ConcurrentHashMap<>();

    private final Queue<LeafEffort> all = new ConcurrentLinkedQueue<>();

    @Override
    public void started(LeafEffort effort) {
        all.add(effort);
        ThreadLocal<Breakdown> profiled = latest;
        if (profiled == null) {
            return;
        }
        Breakdown breakdown = profiled.get();
        if (breakdown != null) {
            byLeaf.put(effort.leaf(), breakdown);
        } else {
            // Another thread made the breakdown: this one searches a part of the same leaf. None: not profiled.
            breakdown = byLeaf.get(effort.leaf());
        }
        if (breakdown != null) {
            breakdown.efforts.add(effort);
        }
    }

    /** Of all scorers that started to work. */
    Collection<LeafEffort> efforts() {
        return all;
    }

    /** What to make for each breakdown, in this order and by one thread. */
    Collection<Supplier<ProfileMetric>> metrics() {
        ThreadLocal<Breakdown> profiled = profiled();
        List<Supplier<ProfileMetric>> metrics = new ArrayList<>();
        metrics.add(() -> {
            profiled.set(new Breakdown());
            return metric("probes", LeafEffort::probes);
        });
        metrics.add(() -> metric("candidates", LeafEffort::candidates));
        metrics.add(() -> metric("scanned", LeafEffort::scanned));
        metrics.add(() -> metric("verified", LeafEffort::verified));
        metrics.add(() -> metric("matches", LeafEffort::matches));
        for (Plan plan : Plan.values()) {
            metrics.add(() -> metric(
                    "leaves_by_" + plan.name().toLowerCase(Locale.ROOT), effort -> effort.plan() == plan ? 1 : 0));
        }
        return metrics;
    }

    @SuppressWarnings("ThreadLocalUsage")
    private synchronized ThreadLocal<Breakdown> profiled() {
        if (latest == null) {
            latest = new ThreadLocal<>();
        }
        return latest;
    }

    private ProfileMetric metric(String count, ToLongFunction<LeafEffort> value) {
        Breakdown breakdown = latest.get();
        return new ProfileMetric(PREFIX + count) {
            @Override
            public Map<String, Long> toBreakdownMap() {
                Map<String, Long> counts = new TreeMap<>();
                counts.put(getName(), 0L);
                for (LeafEffort effort : breakdown.efforts) {
                    counts.merge(getName(), value.applyAsLong(effort), Long::sum);
                    counts.merge(PREFIX + "leaf_" + effort.leaf() + "_" + count, value.applyAsLong(effort), Long::sum);
                }
                return counts;
            }
        };
    }
}
