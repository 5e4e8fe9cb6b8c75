/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.simhash.search.match.LeafEffort;
import org.opensearch.simhash.search.match.LeafEffort.Plan;
import org.opensearch.simhash.search.match.PrintQuery;
import org.opensearch.simhash.search.query.SearchMemories.RunningSearches;
import org.opensearch.telemetry.tracing.Span;
import org.opensearch.telemetry.tracing.noop.NoopSpan;

/** Adds up what the {@code simhash} queries of the node did, when the search of a shard is over. Thread-safe. */
public final class SearchCounts implements SearchOperationListener {

    /**
     * The most queries kept for one search. More are not counted. The percolator makes the queries of all documents with one
     * context and keeps them all until its end.
     */
    static final int MOST_QUERIES = 1024;

    private final Counters<SearchCount> counts = new Counters<>(SearchCount.class);
    private final Counters<Plan> leaves = new Counters<>(Plan.class);
    private final Map<Plan, Durations> times = new EnumMap<>(Plan.class);

    private final Durations comparisons = Durations.ofTexts();

    /** Some queries belong to no search and go with their context. */
    private final RunningSearches<Queries> running = new RunningSearches<>();

    private final Spans spans;

    /**
     * The queries of one search.
     *
     * @param span of its query phase, if a query compares texts
     */
    private record Queries(List<PlanRecord> near, List<LongAdder> texts, Span span) {}

    /** @param spans of query phases that compare texts */
    public SearchCounts(Spans spans) {
        this.spans = spans;
        for (Plan plan : Plan.values()) {
            times.put(plan, Durations.ofSearches());
        }
    }

    void made(QueryShardContext shard, PlanRecord query) {
        add(shard, Queries::near, query);
    }

    /** @param texts grows until the search is over */
    void compares(QueryShardContext shard, LongAdder texts) {
        add(shard, Queries::texts, texts);
    }

    private <T> void add(QueryShardContext shard, Function<Queries, List<T>> which, T query) {
        // Inside of the lock: the percolator makes queries of one search on several threads.
        running.change(shard, made -> {
            Queries queries =
                    made == null ? new Queries(new ArrayList<>(1), new ArrayList<>(0), NoopSpan.INSTANCE) : made;
            List<T> records = which.apply(queries);
            if (records.size() < MOST_QUERIES) {
                records.add(query);
            }
            return queries;
        });
    }

    /**
     * A query could not be made. OpenSearch gives up the search of the shard, mostly without telling listeners. Queries that the
     * percolator stores have no search and are not counted.
     */
    void failed(QueryShardContext shard) {
        if (shard.searcher() instanceof ContextIndexSearcher) {
            finished(shard);
            counts.increment(SearchCount.FAILED);
        }
    }

    @Override
    public void onPreQueryPhase(SearchContext search) {
        Queries queries = running.get(search.getQueryShardContext());
        if (queries != null && queries.texts().isEmpty() == false) {
            Span span = spans.start("simhash.query.verify");
            running.change(search.getQueryShardContext(), made -> new Queries(queries.near(), queries.texts(), span));
        }
    }

    @Override
    public void onQueryPhase(SearchContext search, long tookInNanos) {
        Queries queries = finished(search.getQueryShardContext());
        if (queries != null && queries.near().isEmpty() == false) {
            times.get(planOf(queries.near())).record(tookInNanos);
        }
    }

    /** The plan of the leaf with the most work. Without work, the plan of any leaf that has one. */
    private static Plan planOf(Collection<PlanRecord> queries) {
        Plan plan = Plan.NONE;
        long mostWork = 0;
        for (PlanRecord query : queries) {
            for (LeafEffort effort : query.efforts()) {
                long work = effort.probes() + effort.candidates() + effort.scanned() + effort.compared();
                if (work > mostWork || (work == mostWork && plan == Plan.NONE)) {
                    mostWork = work;
                    plan = effort.plan();
                }
            }
        }
        return plan;
    }

    @Override
    public void onFailedQueryPhase(SearchContext search) {
        if (finished(search.getQueryShardContext()) != null) {
            counts.increment(SearchCount.FAILED);
        }
    }

    /** A separate fetch makes the queries again and runs none of them. */
    @Override
    public void onFetchPhase(SearchContext search, long tookInNanos) {
        running.remove(search.getQueryShardContext());
    }

    @Override
    public void onFailedFetchPhase(SearchContext search) {
        running.remove(search.getQueryShardContext());
    }

    /** Null if the search had no {@code simhash} query. */
    private Queries finished(QueryShardContext search) {
        Queries queries = running.remove(search);
        if (queries == null) {
            return null;
        }
        counts.add(SearchCount.TOTAL, queries.near().size());
        for (PlanRecord query : queries.near()) {
            query.efforts().forEach(this::add);
        }
        long verified = queries.texts().stream().mapToLong(LongAdder::sum).sum();
        counts.add(SearchCount.VERIFIED, verified);
        queries.span().addAttribute("documents", verified);
        queries.span().endSpan();
        return queries;
    }

    private void add(LeafEffort effort) {
        leaves.increment(effort.plan());
        counts.add(SearchCount.PROBES, effort.probes());
        counts.add(SearchCount.CANDIDATES, effort.candidates());
        counts.add(SearchCount.SCANNED, effort.scanned());
        counts.add(SearchCount.COMPARED, effort.compared());
        counts.add(SearchCount.MATCHES, effort.matches());
    }

    public Counters<SearchCount> counts() {
        return counts;
    }

    public Counters<Plan> leaves() {
        return leaves;
    }

    /** How long the query phase of a shard took, by the plan that did most of the work. Without failed searches. */
    public Map<Plan, Durations> times() {
        return Collections.unmodifiableMap(times);
    }

    /** How long comparisons of two texts took: of queries, {@code near_duplicate} and jobs. */
    public Durations comparisons() {
        return comparisons;
    }

    /** Counts of the node's {@code simhash} queries; {@code LeafEffort} defines them. */
    public enum SearchCount {
        TOTAL,
        FAILED,
        PROBES,
        CANDIDATES,
        SCANNED,
        COMPARED,
        VERIFIED,
        MATCHES
    }

    /** How one print was searched for, for {@link SearchCounts}. Thread-safe. Keeps a few entries per leaf. */
    static final class PlanRecord implements PrintQuery.Listener {

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
}
