/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.SetOnce;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.query.QuerySource.Resolved;
import org.opensearch.simhash.search.query.StoredSource.Scope;

/**
 * The queries {@code simhash} and {@code minhash}: documents near a source. The coordinating node resolves the source (a text, a
 * document, an id) to prints, once per search and without blocking a search thread. These travel to the shards, where a
 * {@link org.opensearch.simhash.search.match.PrintQuery} finds the documents.
 */
public final class PrintQueryBuilder extends AbstractQueryBuilder<PrintQueryBuilder> {

    static final String FIELD = "field";

    private final String field;
    private final QuerySource source;
    private final Threshold threshold;
    /** The rule for texts, or null. */
    private final Verification verify;

    private final ShardQuery.Services services;
    /** Set while the source is being resolved. Gets the result. */
    private final SetOnce<Resolved> pending;
    /** Whether threads should share the Lucene leaves of the search. A shard finds it out, each time it gets the query. */
    private final boolean isLong;

    PrintQueryBuilder(
            String field, QuerySource source, Threshold threshold, Verification verify, ShardQuery.Services services) {
        this(field, source, threshold, verify, services, null, false);
    }

    private PrintQueryBuilder(
            String field,
            QuerySource source,
            Threshold threshold,
            Verification verify,
            ShardQuery.Services services,
            SetOnce<Resolved> pending,
            boolean isLong) {
        this.field = ProcessorOptions.requirePath("[field] must name the fingerprint object", field);
        this.source = source;
        this.threshold = threshold;
        if (source instanceof Resolved known && threshold instanceof Threshold.Distance distance) {
            known.prints().forEach(print -> MaxDistance.require(distance.maxBits(), ((Target) print).length()));
        }
        this.verify = verify;
        this.services = services;
        this.pending = pending;
        this.isLong = isLong;
    }

    PrintQueryBuilder(StreamInput in, ShardQuery.Services services) throws IOException {
        super(in);
        MessageForm.read(in);
        this.field = in.readString();
        this.source = QuerySource.read(in);
        this.threshold = Threshold.read(in);
        this.verify = in.readBoolean() ? VerifyOptions.read(in) : null;
        this.services = services;
        this.pending = null;
        this.isLong = false;
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        if (pending != null) {
            throw new IllegalStateException("the query must be rewritten before it is sent");
        }
        MessageForm.write(out);
        out.writeString(field);
        source.writeTo(out);
        threshold.writeTo(out);
        out.writeBoolean(verify != null);
        if (verify != null) {
            VerifyOptions.write(out, verify);
        }
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(getWriteableName());
        builder.field(FIELD, field);
        source.toXContent(builder);
        threshold.toXContent(builder);
        if (verify != null) {
            builder.field(VerifyOptions.NAME, VerifyOptions.asMap(verify));
        }
        printBoostAndQueryName(builder);
        builder.endObject();
    }

    @Override
    public String getWriteableName() {
        return threshold.kind().toString();
    }

    @Override
    protected QueryBuilder doRewrite(QueryRewriteContext context) {
        QueryShardContext shard = context.convertToShardContext();
        return shard == null ? onCoordinator(context) : counted(shard, () -> onShard(shard));
    }

    private QueryBuilder onCoordinator(QueryRewriteContext context) {
        if (source instanceof Resolved known && known.isTyped()) {
            services.searchedIndices().note(noted(known, null));
        }
        if (source instanceof Resolved || source instanceof QuerySource.Lookup) {
            return this;
        }
        if (pending != null) {
            Resolved result = pending.get();
            if (result == null) {
                return this;
            }
            return result.prints().isEmpty() ? new MatchNoneQueryBuilder() : copy(result, null, false);
        }
        List<String> indices = services.searchedIndices().of(context);
        if (indices == null) {
            return this;
        }
        // Like any query, it finds nothing if the pattern matches no index. There is no recipe either.
        if (indices.isEmpty()
                && source instanceof QuerySource.Stored == false
                && services.searchedIndices().areLocal(context)) {
            return new MatchNoneQueryBuilder();
        }
        return copy(source, resolving(context, indices), false);
    }

    /** Starts to resolve the source. Returns what gets the result. */
    private SetOnce<Resolved> resolving(QueryRewriteContext context, List<String> indices) {
        Map<String, Set<String>> routing = services.searchedIndices().routing(context);
        Scope scope = new Scope(field, verifiedField(), indices, routing);
        SetOnce<Resolved> result = new SetOnce<>();
        context.registerAsyncAction((client, listener) -> {
            ActionListener<Resolved> noting = ActionListener.delegateFailure(listener, (l, resolved) -> {
                String lacksRuns = threshold instanceof Threshold.Passages passages
                        ? resolver().lacksRuns(resolved, scope, passages.rule().minWords())
                        : null;
                SearchSources.note(client.threadPool().getThreadContext(), noted(resolved, lacksRuns));
                result.set(resolved);
                l.onResponse(null);
            });
            resolver().resolve(source, scope, client, noting);
        });
        return result;
    }

    private QueryBuilder onShard(QueryShardContext shard) {
        if (source instanceof Resolved) {
            return isLong || shardQuery(shard).isLong() == false ? this : copy(source, null, true);
        }
        boolean isComputed = source instanceof QuerySource.Text || source instanceof QuerySource.Document;
        return isComputed && ShardQuery.isAskedAhead(shard) == false
                ? copy(compute(shard), null, shardQuery(shard).isLong())
                : this;
    }

    private PrintQueryBuilder copy(QuerySource newSource, SetOnce<Resolved> newPending, boolean newIsLong) {
        return new PrintQueryBuilder(field, newSource, threshold, verify, services, newPending, newIsLong)
                .boost(boost)
                .queryName(queryName);
    }

    private SourceResolver resolver() {
        return services.resolvers().get(threshold.kind());
    }

    /** The part of a resolved source that warnings and evidence need. */
    private SearchSources.Source noted(Resolved resolved, String lacksRuns) {
        return SearchSources.Source.of(source, field, verify, resolved, lacksRuns);
    }

    private Resolved compute(QueryShardContext shard) {
        return resolver().compute(source, field, verifiedField(), shard);
    }

    private String verifiedField() {
        return verify == null ? null : verify.field();
    }

    /**
     * OpenSearch asks after the rewrite on a shard. Then threads share parts of Lucene leaves.
     *
     * <p>Several prints: no. Each part of a leaf would search for each print up to the end of the leaf, so that one thread is as
     * fast. A single print with texts to verify: yes, because the texts cost most.
     */
    @Override
    public boolean supportsIntraSegmentSearch() {
        return isLong && source instanceof Resolved known && known.prints().size() == 1;
    }

    boolean isLong() {
        return isLong;
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        return counted(context, () -> query(context));
    }

    private Query query(QueryShardContext context) {
        return switch (source) {
            case QuerySource.Lookup lookup -> shardQuery(context).nearestOfEach(lookup);
            case QuerySource.Image image ->
                throw new QueryShardException(
                        context, "[simhash] with [image] cannot be used here, where no image is decoded: use [hash]");
            case QuerySource.Stored stored ->
                throw new QueryShardException(
                        context,
                        "[" + getWriteableName()
                                + "] with [id] cannot be used here, where no document can be fetched: use ["
                                + Prints.option(threshold.kind()) + "]");
            case Resolved known -> shardQuery(context).near(known);
            default -> shardQuery(context).near(compute(context));
        };
    }

    private ShardQuery shardQuery(QueryShardContext shard) {
        return new ShardQuery(field, threshold, verify, services, shard);
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

    @Override
    protected boolean doEquals(PrintQueryBuilder other) {
        return field.equals(other.field)
                && source.equals(other.source)
                && threshold.equals(other.threshold)
                && Objects.equals(verify, other.verify)
                && pending == other.pending;
    }

    @Override
    protected int doHashCode() {
        return Objects.hash(field, source, threshold, verify, pending);
    }
}
