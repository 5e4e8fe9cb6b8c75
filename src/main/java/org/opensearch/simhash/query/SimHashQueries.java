/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.lucene.search.Query;
import org.opensearch.plugins.SearchPlugin.QuerySpec;
import org.opensearch.search.profile.ProfileMetric;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.match.SimHashQuery;

/** How the node reads {@code simhash} queries, from JSON and from other nodes. */
public final class SimHashQueries {

    private SimHashQueries() {}

    /** What the profile API shows of a query beside its times. */
    public static Collection<Supplier<ProfileMetric>> profileMetrics(Query query) {
        return query instanceof SimHashQuery simHash && simHash.listener() instanceof PlanRecord plans
                ? plans.metrics()
                : List.of();
    }

    /**
     * The query for the node's registry.
     *
     * @param recipes by which documents, and so a query's text, are fingerprinted
     * @param cluster what resolves the names of searched indices
     * @param memory where fingerprinting accounts for the bytes that it takes
     */
    public static QuerySpec<SimHashQueryBuilder> spec(
            PipelineRecipes recipes, Supplier<SearchedIndices.Cluster> cluster, LongConsumer memory) {
        SimHashQueryBuilder.Services services =
                new SimHashQueryBuilder.Services(new SearchedIndices(cluster), new SourceResolver(recipes, memory));
        return new QuerySpec<>(
                SimHashQueryBuilder.NAME,
                in -> new SimHashQueryBuilder(in, services),
                parser -> SimHashQueryBuilder.fromXContent(parser, services));
    }
}
