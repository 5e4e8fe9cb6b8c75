/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.SearchPlugin.QuerySpec;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.deciders.ConcurrentSearchDecision;
import org.opensearch.search.deciders.ConcurrentSearchDecision.DecisionStatus;
import org.opensearch.search.deciders.ConcurrentSearchRequestDecider;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.ingest.PreparingRecipes;
import org.opensearch.simhash.search.match.NearestOfEachQuery;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.query.FingerprintMapping.KnownFields;
import org.opensearch.simhash.search.query.QuerySource.Resolved;
import org.opensearch.simhash.search.query.SearchMemories.SearchMemory;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;

/** Makes the node's {@code simhash} and {@code minhash} queries: from JSON, from streams, from prints. Thread-safe. */
public final class SimHashQueries {

    public static final int NEAREST_OF_EACH = NearestOfEachQuery.KEPT;

    /** Sources that wait for a thread. */
    private static final int QUEUE = 1000;

    private final ShardQuery.Services services;
    private final LongConsumer memory;

    /**
     * @param recipes fingerprint documents and the texts of queries, by kind of print
     * @param cluster resolves the names of searched indices
     * @param memory accounts for fingerprinting, and for comparisons outside of searches
     * @param spans of shards that compare texts
     */
    public SimHashQueries(
            Map<SketchKind, PipelineRecipes> recipes,
            Supplier<SearchedIndices.Cluster> cluster,
            LongConsumer memory,
            Spans spans) {
        this.memory = memory;
        Map<SketchKind, SourceResolver> resolvers = new EnumMap<>(SketchKind.class);
        recipes.forEach((kind, of) -> resolvers.put(kind, new SourceResolver(kind, of, cluster, memory)));
        this.services = new ShardQuery.Services(
                new SearchedIndices(cluster),
                resolvers,
                new SearchCounts(spans),
                new SearchMemories(),
                new KnownFields());
    }

    /**
     * The threads that turn sources of queries into prints, apart from others because an analyzer may be slow. If the queue is
     * full, the search is rejected, as by the pool {@code search}.
     */
    public static ExecutorBuilder<?> threads(Settings settings) {
        int processors = OpenSearchExecutors.allocatedProcessors(settings);
        String setting = "thread_pool." + SourceResolver.THREADS;
        return new FixedExecutorBuilder(settings, SourceResolver.THREADS, processors, QUEUE, setting);
    }

    /** Must be registered as a listener of all shards. */
    public SearchCounts counts() {
        return services.counts();
    }

    /** Must be registered as a listener of all shards. */
    public SearchMemories memories() {
        return services.memories();
    }

    public ConcurrentSearchRequestDecider.Factory deciders() {
        return new LongSearchDecider.Factory();
    }

    public List<QuerySpec<PrintQueryBuilder>> specs() {
        return Arrays.stream(SketchKind.values())
                .map(kind -> new QuerySpec<>(
                        kind.toString(),
                        in -> new PrintQueryBuilder(in, services),
                        parser -> PrintQueryOptions.read(kind, parser, services)))
                .toList();
    }

    /** Documents near any of some prints that are known already, or with one of their digests. */
    public QueryBuilder near(String field, List<? extends Print> prints, Threshold threshold) {
        return new PrintQueryBuilder(field, new Resolved(prints, null), threshold, null, services);
    }

    public static SearchExtBuilder evidence() {
        return SimHashExt.evidence();
    }

    /** Accounts for fingerprinting, and for comparisons outside of searches. */
    public LongConsumer memory() {
        return memory;
    }

    /**
     * @param text of the document that others are compared with
     * @param language as in {@link #verifier}
     */
    public QueryBuilder verified(
            String field, Print print, Threshold threshold, Verification verification, String text, String language) {
        return new PrintQueryBuilder(
                field, new Resolved(List.of(print), null, text, language, null), threshold, verification, services);
    }

    /** The nearest documents of each fingerprint: at least {@link #NEAREST_OF_EACH} for each, if there are as many. All have the same score. */
    public QueryBuilder nearestOfEach(String field, List<Target> targets, int maxDistance) {
        return new PrintQueryBuilder(
                field, new QuerySource.Lookup(targets), new Threshold.Distance(maxDistance), null, services);
    }

    /**
     * Compares a text with others of an index, as a query that verifies does.
     *
     * @param makers recipes of the prints, for a verification without field
     */
    public TextVerifier verifier(
            Verification verification, String text, String language, Fingerprinter maker, List<Fingerprinter> makers) {
        return new TextVerifier(
                verification,
                text,
                language,
                maker,
                makers,
                maker::factor,
                memory,
                new SearchMemory(memory),
                counts().comparisons());
    }

    /** Reads the pipelines of the index, or all pipelines if it has none. */
    public PreparingRecipes preparing(SketchKind kind, String field, String index) {
        return services.resolvers().get(kind).recipes().preparing(null, field, index);
    }

    /**
     * Lets threads share the leaves of a search with a long {@code simhash} query anywhere in it. OpenSearch shares parts of a
     * leaf only if the search is one query of one fingerprint. For one search of a shard, one thread.
     */
    static final class LongSearchDecider extends ConcurrentSearchRequestDecider {

        private static final ConcurrentSearchDecision SHARED_OUT =
                new ConcurrentSearchDecision(DecisionStatus.YES, "a simhash query takes long");

        private boolean isLong;

        @Override
        public void evaluateForQuery(QueryBuilder query, IndexSettings index) {
            isLong |= query instanceof PrintQueryBuilder simHash && simHash.isLong();
        }

        /** Null, no opinion, if there is no such query. */
        @Override
        public ConcurrentSearchDecision getConcurrentSearchDecision() {
            return isLong ? SHARED_OUT : null;
        }

        /** Looks through every search of the node, about a nanosecond for each clause. */
        static final class Factory implements ConcurrentSearchRequestDecider.Factory {

            @Override
            public Optional<ConcurrentSearchRequestDecider> create(IndexSettings index) {
                return Optional.of(new LongSearchDecider());
            }
        }
    }
}
