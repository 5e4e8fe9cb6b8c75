/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.SetOnce;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentLocation;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.options.RequestOptions;
import org.opensearch.simhash.query.SimHashQueryBuilder.Services;
import org.opensearch.simhash.verify.Verification;

/**
 * A query for documents like a source. The coordinating node resolves the source (a text, a document, an id), once per search and
 * without blocking a search thread. The result travels to the shards.
 *
 * @param <Q> the query itself
 * @param <R> the source that any source is resolved to
 */
abstract class SourceQueryBuilder<Q extends SourceQueryBuilder<Q, R>, R extends QuerySource>
        extends AbstractQueryBuilder<Q> {

    final String field;
    final QuerySource source;
    /** The rule for texts, or null. */
    final Verification verify;

    final Services services;
    /** Set while the source is being resolved. Gets the result. */
    private final SetOnce<R> pending;

    /** @param fieldRule for an error about the field */
    SourceQueryBuilder(
            String fieldRule,
            String field,
            QuerySource source,
            Verification verify,
            Services services,
            SetOnce<R> pending) {
        this.field = ProcessorOptions.requirePath(fieldRule, field);
        this.source = source;
        this.verify = verify;
        this.services = services;
        this.pending = pending;
    }

    SourceQueryBuilder(StreamInput in, Services services) throws IOException {
        super(in);
        this.field = in.readString();
        this.source = QuerySource.read(in);
        this.verify = in.readBoolean() ? VerifyOptions.read(in) : null;
        this.services = services;
        this.pending = null;
    }

    /** Reads a query as a user types it. */
    static <O, Q> Q parse(ObjectParser<O, Void> options, XContentParser parser, Function<O, Q> query)
            throws IOException {
        XContentLocation start = parser.getTokenLocation();
        try {
            return query.apply(RequestOptions.parse(options, parser));
        } catch (IllegalArgumentException e) {
            // OpenSearch shows the message of this error even if the query is inside another query.
            throw new ParsingException(start, e.getMessage(), e);
        }
    }

    @Override
    protected final void doWriteTo(StreamOutput out) throws IOException {
        if (pending != null) {
            throw new IllegalStateException("the query must be rewritten before it is sent");
        }
        out.writeString(field);
        source.writeTo(out);
        out.writeBoolean(verify != null);
        if (verify != null) {
            VerifyOptions.write(out, verify);
        }
        writeRest(out);
    }

    /** Writes the fields of this kind of query. */
    abstract void writeRest(StreamOutput out) throws IOException;

    @Override
    protected final void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(getWriteableName());
        builder.field(SourceQueryOptions.FIELD.getPreferredName(), field);
        source.toXContent(builder);
        restToXContent(builder);
        if (verify != null) {
            VerifyOptions.toXContent(builder, verify);
        }
        printBoostAndQueryName(builder);
        builder.endObject();
    }

    /** Writes the options of this kind of query. */
    abstract void restToXContent(XContentBuilder builder) throws IOException;

    abstract SourceResolver<?, R> resolver();

    /** The part of a resolved source that warnings and evidence need. */
    abstract SearchSources.Source noted(R resolved);

    /** Whether there is nothing to compare with. */
    abstract boolean isEmpty(R resolved);

    /** The same query of another source. */
    abstract Q with(QuerySource newSource, SetOnce<R> newPending);

    @Override
    protected final QueryBuilder doRewrite(QueryRewriteContext context) {
        QueryShardContext shard = context.convertToShardContext();
        return shard == null ? onCoordinator(context) : counted(shard, () -> onShard(shard));
    }

    /** The next step on the coordinating node. */
    QueryBuilder onCoordinator(QueryRewriteContext context) {
        if (pending != null) {
            R result = pending.get();
            return result == null ? this : isEmpty(result) ? new MatchNoneQueryBuilder() : with(result, null);
        }
        SourceResolver.Begun<R> begun = resolver()
                .begin(
                        source,
                        field,
                        verifiedField(),
                        context,
                        services.searchedIndices(),
                        (threads, resolved) -> SearchSources.note(threads, noted(resolved)));
        if (begun.isNowhere()) {
            return new MatchNoneQueryBuilder();
        }
        return begun.pending() == null ? this : with(source, begun.pending());
    }

    /** The next step on a shard. */
    QueryBuilder onShard(QueryShardContext shard) {
        boolean isComputed = source instanceof QuerySource.Text || source instanceof QuerySource.Document;
        return isComputed && ShardQuery.isAskedAhead(shard) == false ? with(compute(shard), null) : this;
    }

    final R compute(QueryShardContext shard) {
        return resolver().compute(source, field, verifiedField(), shard);
    }

    private String verifiedField() {
        return verify == null ? null : verify.field();
    }

    @Override
    protected final Query doToQuery(QueryShardContext context) {
        return counted(context, () -> query(context));
    }

    abstract Query query(QueryShardContext context);

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

    /** The further fields of this kind of query for equality. */
    abstract Object rest();

    @Override
    protected final boolean doEquals(Q other) {
        return isEqual(other);
    }

    private boolean isEqual(SourceQueryBuilder<?, ?> other) {
        return field.equals(other.field)
                && source.equals(other.source)
                && Objects.equals(verify, other.verify)
                && pending == other.pending
                && rest().equals(other.rest());
    }

    @Override
    protected final int doHashCode() {
        return Objects.hash(field, source, verify, pending, rest());
    }
}
