/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.ingest.IngestService;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/** How the node reads {@code simhash} queries, from JSON and from other nodes. */
public final class SimHashQueries {

    private SimHashQueries() {}

    /**
     * The query for the node's registry.
     *
     * @param ingestService has the pipelines whose recipes apply to a query's text
     * @param cluster what resolves the names of searched indices
     * @param memory where fingerprinting accounts for the bytes that it takes
     */
    public static QuerySpec<SimHashQueryBuilder> spec(
            Supplier<IngestService> ingestService, Supplier<SearchedIndices.Cluster> cluster, LongConsumer memory) {
        SimHashQueryBuilder.Services services = new SimHashQueryBuilder.Services(
                new SearchedIndices(cluster), new SourceResolver(new PipelineRecipes(ingestService), memory));
        return new QuerySpec<>(
                SimHashQueryBuilder.NAME,
                in -> new SimHashQueryBuilder(in, services),
                parser -> SimHashQueryBuilder.fromXContent(parser, services));
    }
}
