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
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.query.QuerySource.Sketched;
import org.opensearch.simhash.query.SimHashQueryBuilder.Services;
import org.opensearch.simhash.verify.Verification;

/**
 * The query {@code minhash}: documents whose sketch is so similar to a given one. Sources are resolved as those of {@code simhash};
 * on a shard {@link org.opensearch.simhash.match.MinHashQuery} does the work.
 */
public final class MinHashQueryBuilder extends AbstractQueryBuilder<MinHashQueryBuilder> {

    public static final String NAME = "minhash";

    private final String field;
    private final QuerySource source;
    private final double minSimilarity;
    private final boolean containment;
    private final Verification verify;
    private final Services services;
    /** Set while the source is being resolved; holds the result once it is there. */
    private final SetOnce<Sketched> pending;

    /** @param verify what the texts of matches must fulfil, or null */
    MinHashQueryBuilder(
            String field,
            QuerySource source,
            double minSimilarity,
            boolean containment,
            Verification verify,
            Services services) {
        this(field, source, minSimilarity, containment, verify, services, null);
    }

    private MinHashQueryBuilder(
            String field,
            QuerySource source,
            double minSimilarity,
            boolean containment,
            Verification verify,
            Services services,
            SetOnce<Sketched> pending) {
        if ((minSimilarity >= 0 && minSimilarity <= 1) == false) {
            throw new IllegalArgumentException("[min_similarity] must be between 0 and 1, got: " + minSimilarity);
        }
        this.field = ProcessorOptions.requirePath("[field] must name the object of the sketch", field);
        this.source = source;
        this.minSimilarity = minSimilarity;
        this.containment = containment;
        this.verify = verify;
        this.services = services;
        this.pending = pending;
    }

    MinHashQueryBuilder(StreamInput in, Services services) throws IOException {
        super(in);
        this.field = in.readString();
        this.source = QuerySource.read(in);
        this.minSimilarity = in.readDouble();
        this.containment = in.readBoolean();
        this.verify = in.readBoolean() ? VerifyOptions.read(in) : null;
        this.services = services;
        this.pending = null;
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        if (pending != null) {
            throw new IllegalStateException("the query must be rewritten before it is sent");
        }
        out.writeString(field);
        source.writeTo(out);
        out.writeDouble(minSimilarity);
        out.writeBoolean(containment);
        out.writeBoolean(verify != null);
        if (verify != null) {
            VerifyOptions.write(out, verify);
        }
    }

    static MinHashQueryBuilder fromXContent(XContentParser parser, Services services) throws IOException {
        XContentLocation start = parser.getTokenLocation();
        try {
            return RequestOptions.parse(MinHashQueryOptions.PARSER, parser).build(services);
        } catch (IllegalArgumentException e) {
            // The one kind of error of which OpenSearch shows the message also when the query stands inside of others.
            throw new ParsingException(start, e.getMessage(), e);
        }
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME);
        builder.field(SourceQueryOptions.FIELD.getPreferredName(), field);
        source.toXContent(builder);
        builder.field(MinHashQueryOptions.MIN_SIMILARITY.getPreferredName(), minSimilarity);
        builder.field(MinHashQueryOptions.CONTAINMENT.getPreferredName(), containment);
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
        boolean isComputed = source instanceof QuerySource.Text || source instanceof QuerySource.Document;
        return isComputed && ShardQuery.isAskedAhead(shard) == false ? with(compute(shard), null) : this;
    }

    private QueryBuilder resolving(QueryRewriteContext context) {
        if (source instanceof Sketched known) {
            if (known.isSketch()) {
                services.searchedIndices()
                        .note(SearchSources.Source.ofSketches(source, field, verify, known.targets()));
            }
            return this;
        }
        if (pending != null) {
            Sketched result = pending.get();
            return result == null
                    ? this
                    : result.targets().isEmpty() ? new MatchNoneQueryBuilder() : with(result, null);
        }
        SourceResolver.Begun<Sketched> begun = services.sketchResolver()
                .begin(
                        source,
                        field,
                        verifiedField(),
                        context,
                        services.searchedIndices(),
                        (threads, resolved) -> SearchSources.note(
                                threads, SearchSources.Source.ofSketches(source, field, verify, resolved.targets())));
        if (begun.isNowhere()) {
            return new MatchNoneQueryBuilder();
        }
        return begun.pending() == null ? this : with(source, begun.pending());
    }

    private Sketched compute(QueryShardContext shard) {
        return services.sketchResolver().compute(source, field, verifiedField(), shard);
    }

    private String verifiedField() {
        return verify == null ? null : verify.field();
    }

    private MinHashQueryBuilder with(QuerySource newSource, SetOnce<Sketched> newPending) {
        return new MinHashQueryBuilder(field, newSource, minSimilarity, containment, verify, services, newPending)
                .boost(boost)
                .queryName(queryName);
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        return counted(context, () -> query(context));
    }

    /** What fails here fails before OpenSearch tells anybody of a search that does. */
    private <T> T counted(QueryShardContext shard, Supplier<T> making) {
        try {
            return making.get();
        } catch (RuntimeException e) {
            services.counts().failed(shard);
            throw e;
        }
    }

    private Query query(QueryShardContext context) {
        SketchShardQuery onShard = new SketchShardQuery(field, minSimilarity, containment, verify, services, context);
        return switch (source) {
            case QuerySource.Stored stored ->
                throw new QueryShardException(
                        context,
                        "[minhash] with [id] cannot be used here, where no document can be fetched: use [sketch]");
            case Sketched known -> onShard.similar(known);
            default -> onShard.similar(compute(context));
        };
    }

    @Override
    protected boolean doEquals(MinHashQueryBuilder other) {
        return field.equals(other.field)
                && source.equals(other.source)
                && minSimilarity == other.minSimilarity
                && containment == other.containment
                && Objects.equals(verify, other.verify)
                && pending == other.pending;
    }

    @Override
    protected int doHashCode() {
        return Objects.hash(field, source, minSimilarity, containment, verify, pending);
    }
}
