/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.counts.Durations;
import org.opensearch.simhash.match.LeafEffort;
import org.opensearch.simhash.match.LeafEffort.Plan;

/**
 * Adds up what the node's {@code simhash} queries did, when the search of a shard that they are part of is over. Thread-safe.
 */
public final class SearchCounts implements SearchOperationListener {

    /**
     * Most queries that are kept for one search; further ones are not counted. The percolator makes those of all documents with
     * one context, and would have them kept until it is through.
     */
    static final int MOST_QUERIES = 1024;

    private final Counters<SearchCount> counts = new Counters<>(SearchCount.class);
    private final Counters<Plan> leaves = new Counters<>(Plan.class);
    /** Never changed after construction. */
    private final Map<Plan, Durations> times = new EnumMap<>(Plan.class);

    private final Durations comparisons = Durations.ofTexts();

    /** Queries whose search is not over, by what they were made with. Some are no search's, and go with what they were made with. */
    private final RunningSearches<Queries> running = new RunningSearches<>();

    /** Those of one search, by fingerprint, and of those the texts that they compare. */
    private record Queries(List<PlanRecord> near, List<TextRecord> texts) {}

    public SearchCounts() {
        for (Plan plan : Plan.values()) {
            times.put(plan, Durations.ofSearches());
        }
    }

    /** A query was made, for one search of a shard. */
    void made(QueryShardContext shard, PlanRecord query) {
        add(shard, Queries::near, query);
    }

    /** A query that compares texts was made, for one search of a shard. */
    void made(QueryShardContext shard, TextRecord query) {
        add(shard, Queries::texts, query);
    }

    private <T> void add(QueryShardContext shard, Function<Queries, List<T>> which, T query) {
        // Alone, lists and all: the percolator makes queries of one search on several threads.
        running.change(shard, made -> {
            Queries queries = made == null ? new Queries(new ArrayList<>(1), new ArrayList<>(0)) : made;
            List<T> records = which.apply(queries);
            if (records.size() < MOST_QUERIES) {
                records.add(query);
            }
            return queries;
        });
    }

    /**
     * A query could not be made: OpenSearch gives up a search of a shard, mostly before it would tell of it, and makes no other
     * query for it. Not counted where there is no search, as where a query is stored for the percolator.
     */
    void failed(QueryShardContext shard) {
        if (shard.searcher() instanceof ContextIndexSearcher) {
            finished(shard);
            counts.increment(SearchCount.FAILED);
        }
    }

    @Override
    public void onQueryPhase(SearchContext search, long tookInNanos) {
        Queries queries = finished(search.getQueryShardContext());
        if (queries != null && queries.near().isEmpty() == false) {
            times.get(PlanOfSearch.of(queries.near())).record(tookInNanos);
        }
    }

    @Override
    public void onFailedQueryPhase(SearchContext search) {
        if (finished(search.getQueryShardContext()) != null) {
            counts.increment(SearchCount.FAILED);
        }
    }

    /** A fetch by itself makes the queries once more, and runs none of them. */
    @Override
    public void onFetchPhase(SearchContext search, long tookInNanos) {
        running.remove(search.getQueryShardContext());
    }

    @Override
    public void onFailedFetchPhase(SearchContext search) {
        running.remove(search.getQueryShardContext());
    }

    /** The {@code simhash} queries of the search, counted; null when it had none. */
    private Queries finished(QueryShardContext search) {
        Queries queries = running.remove(search);
        if (queries == null) {
            return null;
        }
        counts.add(SearchCount.TOTAL, queries.near().size());
        for (PlanRecord query : queries.near()) {
            query.efforts().forEach(this::add);
        }
        for (TextRecord query : queries.texts()) {
            query.efforts().forEach(verified -> counts.add(SearchCount.VERIFIED, verified.get()));
        }
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

    /** Lucene leaves by the way in which they were searched. */
    public Counters<Plan> leaves() {
        return leaves;
    }

    /**
     * How long searches of a shard took in their query phase, by what most of the work of their {@code simhash} queries was done by.
     * Failed ones are left out.
     */
    public Durations times(Plan plan) {
        return times.get(plan);
    }

    /** How long it took to compare two texts, each time: of queries, of {@code near_duplicate} and of jobs. */
    public Durations comparisons() {
        return comparisons;
    }
}
