/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.opensearch.search.profile.ProfileMetric;
import org.opensearch.simhash.match.LeafEffort;
import org.opensearch.simhash.match.LeafEffort.Plan;
import org.opensearch.simhash.match.PlanListener;

/** How one fingerprint was searched for. Thread-safe. */
final class PlanRecord extends EffortRecord<LeafEffort> implements PlanListener {

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
            long most = before == null ? 0 : before;
            return bytes > most && memory.test(bytes - most) ? Long.valueOf(bytes) : before;
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
            counts.put("leaves_by_" + plan.name().toLowerCase(Locale.ROOT), effort -> effort.plan() == plan ? 1 : 0);
        }
        return metrics(counts);
    }
}
