/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.search.Query;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/**
 * Matches what a query matches where a field is mapped, and nothing elsewhere. By itself a query of an unmapped field is an error
 * in an index whose {@code index.query.parse.allow_unmapped_fields} is false; what a job looks for need not be in each of its
 * indices. Sent by deduplication jobs; nobody can type it.
 */
public final class MappedQueryBuilder extends AbstractQueryBuilder<MappedQueryBuilder> {

    static final String NAME = "simhash_mapped";

    private final String field;
    private final QueryBuilder query;

    /**
     * A query of one field.
     *
     * @param query names no field but this one, or others that are mapped with it
     */
    public MappedQueryBuilder(String field, QueryBuilder query) {
        this.field = field;
        this.query = query;
    }

    MappedQueryBuilder(StreamInput in) throws IOException {
        super(in);
        this.field = in.readString();
        this.query = in.readNamedWriteable(QueryBuilder.class);
    }

    /** Documents with a value of the field. */
    public static MappedQueryBuilder exists(String field) {
        return new MappedQueryBuilder(field, QueryBuilders.existsQuery(field));
    }

    /** For the node's registry. */
    public static QuerySpec<MappedQueryBuilder> spec() {
        return new QuerySpec<>(NAME, MappedQueryBuilder::new, parser -> {
            throw NumberedDocuments.refusal(NAME, parser);
        });
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeString(field);
        out.writeNamedWriteable(query);
    }

    @Override
    protected QueryBuilder doRewrite(QueryRewriteContext context) throws IOException {
        QueryShardContext shard = context.convertToShardContext();
        if (shard != null) {
            return isMapped(shard) ? query : new MatchNoneQueryBuilder();
        }
        QueryBuilder rewritten = query.rewrite(context);
        return rewritten.equals(query) ? this : new MappedQueryBuilder(field, rewritten);
    }

    private boolean isMapped(QueryShardContext shard) {
        return shard.getMapperService().fieldType(field) != null;
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        throw new IllegalStateException("[" + NAME + "] is rewritten before");
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME).field(field, query).endObject();
    }

    @Override
    protected boolean doEquals(MappedQueryBuilder other) {
        return field.equals(other.field) && query.equals(other.query);
    }

    @Override
    protected int doHashCode() {
        return Objects.hash(field, query);
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }
}
