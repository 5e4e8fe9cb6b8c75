/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.SetOnce;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.match.MaxDistance;
import org.opensearch.simhash.match.SimHashQuery;
import org.opensearch.simhash.match.SketchTarget;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.query.QuerySource.Resolved;
import org.opensearch.simhash.verify.Verification;

/**
 * The query {@code simhash}: exactly the documents whose fingerprint is within a number of bits of a given one. On a shard
 * {@link SimHashQuery} finds them.
 */
public final class SimHashQueryBuilder extends SourceQueryBuilder<SimHashQueryBuilder, Resolved> {

    public static final String NAME = "simhash";

    private final int maxDistance;
    /** Null until a shard asks. */
    private final TimedSearch timed;

    private final boolean isProfiled;

    record Services(
            SearchedIndices searchedIndices,
            SourceResolver<Target, Resolved> resolver,
            SourceResolver<SketchTarget, QuerySource.Sketched> sketchResolver,
            PipelineRecipes recipes,
            PipelineRecipes sketchRecipes,
            SearchCounts counts,
            SearchMemories memories,
            KnownFields fields) {}

    /** @param verify the rule for texts, or null */
    SimHashQueryBuilder(String field, QuerySource source, int maxDistance, Verification verify, Services services) {
        this(field, source, maxDistance, verify, services, null, null, false);
    }

    private SimHashQueryBuilder(
            String field,
            QuerySource source,
            int maxDistance,
            Verification verify,
            Services services,
            SetOnce<Resolved> pending,
            TimedSearch timed,
            boolean isProfiled) {
        super("[field] must name the fingerprint object", field, source, verify, services, pending);
        this.maxDistance = MaxDistance.require(maxDistance);
        this.timed = timed;
        this.isProfiled = isProfiled;
    }

    SimHashQueryBuilder(StreamInput in, Services services) throws IOException {
        super(in, services);
        this.maxDistance = in.readVInt();
        this.timed = TimedSearch.read(in);
        this.isProfiled = in.readBoolean();
    }

    @Override
    void writeRest(StreamOutput out) throws IOException {
        out.writeVInt(maxDistance);
        TimedSearch.write(out, timed);
        out.writeBoolean(isProfiled);
    }

    static SimHashQueryBuilder fromXContent(XContentParser parser, Services services) throws IOException {
        return parse(SimHashQueryOptions.PARSER, parser, options -> options.build(services));
    }

    @Override
    void restToXContent(XContentBuilder builder) throws IOException {
        builder.field(SimHashQueryOptions.MAX_DISTANCE.getPreferredName(), maxDistance);
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    @Override
    SourceResolver<?, Resolved> resolver() {
        return services.resolver();
    }

    @Override
    SearchSources.Source noted(Resolved resolved) {
        return SearchSources.Source.of(source, field, verify, resolved.targets());
    }

    @Override
    boolean isEmpty(Resolved resolved) {
        return resolved.targets().isEmpty();
    }

    @Override
    SimHashQueryBuilder with(QuerySource newSource, SetOnce<Resolved> newPending) {
        return copied(
                new SimHashQueryBuilder(field, newSource, maxDistance, verify, services, newPending, null, isProfiled));
    }

    @Override
    QueryBuilder onCoordinator(QueryRewriteContext context) {
        if (source instanceof Resolved known && known.isHash()) {
            services.searchedIndices().note(noted(known));
        }
        if (source instanceof Resolved || source instanceof QuerySource.Lookup) {
            // A copy of the query makes OpenSearch copy the whole search.
            return isProfiled || services.searchedIndices().isProfiled(context) == false
                    ? this
                    : copied(new SimHashQueryBuilder(field, source, maxDistance, verify, services, null, timed, true));
        }
        return super.onCoordinator(context);
    }

    @Override
    QueryBuilder onShard(QueryShardContext shard) {
        if (source instanceof Resolved known) {
            ShardQuery query = shardQuery(shard);
            return timed == null && query.mayBeLong() ? with(query.timed(known)) : this;
        }
        return super.onShard(shard);
    }

    private SimHashQueryBuilder with(TimedSearch search) {
        return copied(new SimHashQueryBuilder(field, source, maxDistance, verify, services, null, search, isProfiled));
    }

    private SimHashQueryBuilder copied(SimHashQueryBuilder copy) {
        return copy.boost(boost).queryName(queryName);
    }

    /**
     * OpenSearch asks after the rewrite on a shard. Then threads share parts of Lucene leaves.
     *
     * <p>Several fingerprints: no. Each part of a leaf would search for each fingerprint up to the end of the leaf, so that one
     * thread is as fast. A single fingerprint with texts to verify: yes, because the texts cost most. A profiled search: no,
     * because OpenSearch would count the work of a leaf once per part.
     */
    @Override
    public boolean supportsIntraSegmentSearch() {
        return isLong()
                && isProfiled == false
                && source instanceof Resolved known
                && known.targets().size() == 1;
    }

    /** Whether threads should share the Lucene leaves of the search. */
    boolean isLong() {
        return timed != null && timed.isLong();
    }

    @Override
    Query query(QueryShardContext context) {
        return switch (source) {
            case QuerySource.Lookup lookup -> shardQuery(context).nearestOfEach(lookup);
            case QuerySource.Stored stored ->
                throw new QueryShardException(
                        context,
                        "[simhash] with [id] cannot be used here, where no document can be fetched: use [hash]");
            case Resolved known -> shardQuery(context).near(known, timed);
            default -> shardQuery(context).near(compute(context), null);
        };
    }

    private ShardQuery shardQuery(QueryShardContext shard) {
        return new ShardQuery(field, maxDistance, verify, services, shard);
    }

    @Override
    Object rest() {
        return List.of(maxDistance, isProfiled);
    }
}
