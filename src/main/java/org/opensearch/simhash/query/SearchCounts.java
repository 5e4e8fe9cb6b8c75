/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.counts.Counters;
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

    /** Queries whose search is not over, by what they were made with. Some are no search's, and go with what they were made with. */
    private final Map<QueryShardContext, List<PlanRecord>> running = Collections.synchronizedMap(new WeakHashMap<>());

    /** A query was made, for one search of a shard. */
    void made(QueryShardContext shard, PlanRecord query) {
        // Under the map's lock, list and all: the percolator makes queries of one search on several threads.
        running.compute(shard, (s, made) -> {
            List<PlanRecord> queries = made == null ? new ArrayList<>(1) : made;
            if (queries.size() < MOST_QUERIES) {
                queries.add(query);
            }
            return queries;
        });
    }

    @Override
    public void onQueryPhase(SearchContext search, long tookInNanos) {
        finished(search);
    }

    @Override
    public void onFailedQueryPhase(SearchContext search) {
        if (finished(search)) {
            counts.increment(SearchCount.FAILED);
        }
    }

    /** Whether the search had any {@code simhash} query. */
    private boolean finished(SearchContext search) {
        List<PlanRecord> queries = running.remove(search.getQueryShardContext());
        if (queries == null) {
            return false;
        }
        counts.add(SearchCount.TOTAL, queries.size());
        for (PlanRecord query : queries) {
            query.efforts().forEach(this::add);
        }
        return true;
    }

    private void add(LeafEffort effort) {
        leaves.increment(effort.plan());
        counts.add(SearchCount.PROBES, effort.probes());
        counts.add(SearchCount.CANDIDATES, effort.candidates());
        counts.add(SearchCount.SCANNED, effort.scanned());
        counts.add(SearchCount.VERIFIED, effort.verified());
        counts.add(SearchCount.MATCHES, effort.matches());
    }

    public Counters<SearchCount> counts() {
        return counts;
    }

    /** Lucene leaves by the way in which they were searched. */
    public Counters<Plan> leaves() {
        return leaves;
    }
}
