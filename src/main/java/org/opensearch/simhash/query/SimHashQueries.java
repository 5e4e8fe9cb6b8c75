/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.lucene.search.Query;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.SearchPlugin.QuerySpec;
import org.opensearch.search.deciders.ConcurrentSearchRequestDecider;
import org.opensearch.search.profile.ProfileMetric;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.SketchKind;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.ingest.PreparingRecipes;
import org.opensearch.simhash.match.MinHashQuery;
import org.opensearch.simhash.match.NearestOfEachQuery;
import org.opensearch.simhash.match.PlanListener;
import org.opensearch.simhash.match.SimHashQuery;
import org.opensearch.simhash.match.SketchTarget;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.query.QuerySource.Resolved;
import org.opensearch.simhash.query.QuerySource.Sketched;
import org.opensearch.simhash.verify.Verification;

/**
 * Makes the node's {@code simhash} and {@code minhash} queries: from JSON, from streams, from fingerprints.
 * Thread-safe.
 */
public final class SimHashQueries {

    public static final int NEAREST_OF_EACH = NearestOfEachQuery.KEPT;

    private final SimHashQueryBuilder.Services services;
    private final LongConsumer memory;

    /**
     * @param recipes fingerprint documents and the texts of queries
     * @param sketchRecipes the same for sketches
     * @param cluster resolves the names of searched indices
     * @param memory accounts for fingerprinting, and for comparisons outside of searches
     */
    public SimHashQueries(
            PipelineRecipes recipes,
            PipelineRecipes sketchRecipes,
            Supplier<SearchedIndices.Cluster> cluster,
            LongConsumer memory) {
        this.memory = memory;
        this.services = new SimHashQueryBuilder.Services(
                new SearchedIndices(cluster),
                new SourceResolver<>(recipes, cluster, memory, TargetKind.SIMHASH),
                new SourceResolver<>(sketchRecipes, cluster, memory, TargetKind.MINHASH),
                recipes,
                sketchRecipes,
                new SearchCounts(),
                new SearchMemories(),
                new KnownFields());
    }

    /** Must be registered as a listener of all shards. */
    public SearchCounts counts() {
        return services.counts();
    }

    /** Must be registered as a listener of all shards. */
    public SearchMemories memories() {
        return services.memories();
    }

    public static Collection<Supplier<ProfileMetric>> profileMetrics(Query query) {
        if (query instanceof VerifiedQuery verified) {
            return verified.texts().metrics();
        }
        PlanListener listener = switch (query) {
            case SimHashQuery simHash -> simHash.listener();
            case MinHashQuery minHash -> minHash.listener();
            default -> null;
        };
        return listener instanceof PlanRecord plans ? plans.metrics() : List.of();
    }

    /** Lets threads share a long search. */
    public ConcurrentSearchRequestDecider.Factory deciders() {
        return new LongSearchDecider.Factory();
    }

    /** The query for the node's registry. */
    public QuerySpec<SimHashQueryBuilder> spec() {
        return new QuerySpec<>(
                SimHashQueryBuilder.NAME,
                in -> new SimHashQueryBuilder(in, services),
                parser -> SimHashQueryBuilder.fromXContent(parser, services));
    }

    /** The same for sketches. */
    public QuerySpec<MinHashQueryBuilder> sketchSpec() {
        return new QuerySpec<>(
                MinHashQueryBuilder.NAME,
                in -> new MinHashQueryBuilder(in, services),
                parser -> MinHashQueryBuilder.fromXContent(parser, services));
    }

    /** Documents within the distance of a fingerprint that is known already, or of its digest. */
    public QueryBuilder near(String field, Target target, int maxDistance) {
        return new SimHashQueryBuilder(field, new Resolved(List.of(target), null), maxDistance, null, services);
    }

    /**
     * The nearest documents of each fingerprint: at least {@link #NEAREST_OF_EACH} for each, if there are as many. All have the
     * same score.
     */
    public QueryBuilder nearestOfEach(String field, List<Target> targets, int maxDistance) {
        return new SimHashQueryBuilder(field, new QuerySource.Lookup(targets), maxDistance, null, services);
    }

    /**
     * Compares a text with others of an index, as a query that verifies does.
     *
     * @param maker prepares both texts
     * @param makers recipes of the fingerprints, for a verification without field
     */
    public TextVerifier verifier(
            Verification verification, String text, Fingerprinter maker, List<Fingerprinter> makers) {
        return new TextVerifier(
                verification, text, maker, makers, memory, new SearchMemory(memory), counts().comparisons());
    }

    /** Reads the pipelines of the index, or all pipelines if it has none. */
    public PreparingRecipes preparing(SketchKind kind, String field, String index) {
        PipelineRecipes recipes = kind == SketchKind.MINHASH ? services.sketchRecipes() : services.recipes();
        return recipes.preparing(null, field, index);
    }

    /** @param text of the document that others are compared with */
    public QueryBuilder verified(String field, Target target, int maxDistance, Verification verification, String text) {
        Resolved source = new Resolved(List.of(target), null, text, null);
        return new SimHashQueryBuilder(field, source, maxDistance, verification, services);
    }

    /** Documents similar to any of some sketches that are known already, or with one of their digests. */
    public QueryBuilder similar(String field, List<SketchTarget> targets, double minSimilarity) {
        Sketched source = new Sketched(targets, null, null, null);
        return new MinHashQueryBuilder(field, source, minSimilarity, false, null, services);
    }

    /** @param text of the document that others are compared with */
    public QueryBuilder verified(
            String field, SketchTarget target, double minSimilarity, Verification verification, String text) {
        Sketched source = new Sketched(List.of(target), null, text, null);
        return new MinHashQueryBuilder(field, source, minSimilarity, false, verification, services);
    }
}
