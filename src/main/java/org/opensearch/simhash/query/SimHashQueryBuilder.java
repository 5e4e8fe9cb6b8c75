/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.SetOnce;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentLocation;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.match.MaxDistance;
import org.opensearch.simhash.match.SimHashQuery;
import org.opensearch.simhash.match.SketchTarget;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.query.QuerySource.Resolved;
import org.opensearch.simhash.verify.Verification;

/**
 * The query {@code simhash}: exactly the documents whose fingerprint is within a number of bits of a given one.
 *
 * <p>The coordinating node resolves the source (a text, a document, an id) to fingerprints, once per search and without blocking
 * a search thread. The fingerprints travel to the shards, where {@link SimHashQuery} finds the documents.
 */
public final class SimHashQueryBuilder extends AbstractQueryBuilder<SimHashQueryBuilder> {

    public static final String NAME = "simhash";

    private final String field;

    private final QuerySource source;
    private final int maxDistance;
    private final Verification verify;
    private final Services services;
    /** Set while the source is being resolved. Gets the result. */
    private final SetOnce<Resolved> pending;
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
        this.field = ProcessorOptions.requirePath("[field] must name the fingerprint object", field);
        this.source = source;
        this.maxDistance = MaxDistance.require(maxDistance);
        this.verify = verify;
        this.services = services;
        this.pending = pending;
        this.timed = timed;
        this.isProfiled = isProfiled;
    }

    SimHashQueryBuilder(StreamInput in, Services services) throws IOException {
        super(in);
        this.field = in.readString();
        this.source = QuerySource.read(in);
        this.maxDistance = in.readVInt();
        this.verify = in.readBoolean() ? VerifyOptions.read(in) : null;
        this.services = services;
        this.pending = null;
        this.timed = TimedSearch.read(in);
        this.isProfiled = in.readBoolean();
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        if (pending != null) {
            throw new IllegalStateException("the query must be rewritten before it is sent");
        }
        out.writeString(field);
        source.writeTo(out);
        out.writeVInt(maxDistance);
        out.writeBoolean(verify != null);
        if (verify != null) {
            VerifyOptions.write(out, verify);
        }
        TimedSearch.write(out, timed);
        out.writeBoolean(isProfiled);
    }

    static SimHashQueryBuilder fromXContent(XContentParser parser, Services services) throws IOException {
        XContentLocation start = parser.getTokenLocation();
        try {
            return RequestOptions.parse(SimHashQueryOptions.PARSER, parser).build(services);
        } catch (IllegalArgumentException e) {
            // OpenSearch shows the message of this error even if the query is inside another query.
            throw new ParsingException(start, e.getMessage(), e);
        }
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME);
        builder.field(SourceQueryOptions.FIELD.getPreferredName(), field);
        source.toXContent(builder);
        builder.field(SimHashQueryOptions.MAX_DISTANCE.getPreferredName(), maxDistance);
        if (verify != null) {
            VerifyOptions.toXContent(builder, verify);
        }
        printBoostAndQueryName(builder);
        builder.endObject();
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    @Override
    protected QueryBuilder doRewrite(QueryRewriteContext context) {
        QueryShardContext shard = context.convertToShardContext();
        return shard == null ? resolving(context) : counted(shard, () -> rewritten(shard));
    }

    private QueryBuilder rewritten(QueryShardContext shard) {
        if (source instanceof Resolved known) {
            ShardQuery query = onShard(shard);
            return timed == null && query.mayBeLong() ? with(query.timed(known)) : this;
        }
        boolean isComputed = source instanceof QuerySource.Text || source instanceof QuerySource.Document;
        return isComputed && ShardQuery.isAskedAhead(shard) == false ? with(compute(shard), null) : this;
    }

    private QueryBuilder resolving(QueryRewriteContext context) {
        if (source instanceof Resolved known && known.isHash()) {
            services.searchedIndices().note(SearchSources.Source.of(source, field, verify, known.targets()));
        }
        if (source instanceof Resolved || source instanceof QuerySource.Lookup) {
            // A copy of the query makes OpenSearch copy the whole search.
            return isProfiled || services.searchedIndices().isProfiled(context) == false
                    ? this
                    : copied(new SimHashQueryBuilder(field, source, maxDistance, verify, services, null, timed, true));
        }
        if (pending != null) {
            Resolved result = pending.get();
            return result == null
                    ? this
                    : result.targets().isEmpty() ? new MatchNoneQueryBuilder() : with(result, null);
        }
        SourceResolver.Begun<Resolved> begun = services.resolver()
                .begin(
                        source,
                        field,
                        verifiedField(),
                        context,
                        services.searchedIndices(),
                        (threads, resolved) -> SearchSources.note(
                                threads, SearchSources.Source.of(source, field, verify, resolved.targets())));
        if (begun.isNowhere()) {
            return new MatchNoneQueryBuilder();
        }
        return begun.pending() == null ? this : with(source, begun.pending());
    }

    private Resolved compute(QueryShardContext shard) {
        return services.resolver().compute(source, field, verifiedField(), shard);
    }

    private String verifiedField() {
        return verify == null ? null : verify.field();
    }

    private SimHashQueryBuilder with(TimedSearch search) {
        return copied(new SimHashQueryBuilder(field, source, maxDistance, verify, services, null, search, isProfiled));
    }

    private SimHashQueryBuilder with(QuerySource newSource, SetOnce<Resolved> newPending) {
        return copied(
                new SimHashQueryBuilder(field, newSource, maxDistance, verify, services, newPending, null, isProfiled));
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
    protected Query doToQuery(QueryShardContext context) {
        return counted(context, () -> query(context));
    }

    /** OpenSearch tells listeners nothing of a failure at this point. */
    private <T> T counted(QueryShardContext shard, Supplier<T> making) {
        try {
            return making.get();
        } catch (RuntimeException e) {
            if (source instanceof QuerySource.Lookup == false) { // it fails as a lookup
                services.counts().failed(shard);
            }
            throw e;
        }
    }

    private Query query(QueryShardContext context) {
        return switch (source) {
            case QuerySource.Lookup lookup -> onShard(context).nearestOfEach(lookup);
            case QuerySource.Stored stored ->
                throw new QueryShardException(
                        context,
                        "[simhash] with [id] cannot be used here, where no document can be fetched: use [hash]");
            case Resolved known -> onShard(context).near(known, timed);
            default -> onShard(context).near(compute(context), null);
        };
    }

    private ShardQuery onShard(QueryShardContext shard) {
        return new ShardQuery(field, maxDistance, verify, services, shard);
    }

    @Override
    protected boolean doEquals(SimHashQueryBuilder other) {
        return field.equals(other.field)
                && source.equals(other.source)
                && maxDistance == other.maxDistance
                && Objects.equals(verify, other.verify)
                && pending == other.pending
                && isProfiled == other.isProfiled;
    }

    @Override
    protected int doHashCode() {
        return Objects.hash(field, source, maxDistance, verify, pending, isProfiled);
    }
}
