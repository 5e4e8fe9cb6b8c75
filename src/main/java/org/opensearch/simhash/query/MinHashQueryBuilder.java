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
import org.opensearch.simhash.match.MinHashQuery;
import org.opensearch.simhash.query.QuerySource.Sketched;
import org.opensearch.simhash.query.SimHashQueryBuilder.Services;
import org.opensearch.simhash.verify.Verification;

/** The query {@code minhash}: matches documents with a similar sketch. On a shard it becomes a {@link MinHashQuery}. */
public final class MinHashQueryBuilder extends SourceQueryBuilder<MinHashQueryBuilder, Sketched> {

    public static final String NAME = "minhash";

    private final double minSimilarity;
    private final boolean containment;

    /** @param verify the rule for texts, or null */
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
        super("[field] must name the object of the sketch", field, source, verify, services, pending);
        this.minSimilarity = MinHashQuery.requireSimilarity(minSimilarity);
        this.containment = containment;
    }

    MinHashQueryBuilder(StreamInput in, Services services) throws IOException {
        super(in, services);
        this.minSimilarity = in.readDouble();
        this.containment = in.readBoolean();
    }

    @Override
    void writeRest(StreamOutput out) throws IOException {
        out.writeDouble(minSimilarity);
        out.writeBoolean(containment);
    }

    static MinHashQueryBuilder fromXContent(XContentParser parser, Services services) throws IOException {
        return parse(MinHashQueryOptions.PARSER, parser, options -> options.build(services));
    }

    @Override
    void restToXContent(XContentBuilder builder) throws IOException {
        builder.field(MinHashQueryOptions.MIN_SIMILARITY.getPreferredName(), minSimilarity);
        builder.field(MinHashQueryOptions.CONTAINMENT.getPreferredName(), containment);
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    @Override
    SourceResolver<?, Sketched> resolver() {
        return services.sketchResolver();
    }

    @Override
    SearchSources.Source noted(Sketched resolved) {
        return SearchSources.Source.ofSketches(source, field, verify, resolved.targets());
    }

    @Override
    boolean isEmpty(Sketched resolved) {
        return resolved.targets().isEmpty();
    }

    @Override
    MinHashQueryBuilder with(QuerySource newSource, SetOnce<Sketched> newPending) {
        return new MinHashQueryBuilder(field, newSource, minSimilarity, containment, verify, services, newPending)
                .boost(boost)
                .queryName(queryName);
    }

    @Override
    QueryBuilder onCoordinator(QueryRewriteContext context) {
        if (source instanceof Sketched known) {
            if (known.isSketch()) {
                services.searchedIndices().note(noted(known));
            }
            return this;
        }
        return super.onCoordinator(context);
    }

    @Override
    Query query(QueryShardContext context) {
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
    Object rest() {
        return List.of(minSimilarity, containment);
    }
}
