/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
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
 * Matches documents with a value of a field, and nothing where the field is not mapped. The query {@code exists} of an unmapped
 * field is an error in an index whose {@code index.query.parse.allow_unmapped_fields} is false; what a job looks for need not be
 * in each of its indices. Sent by deduplication jobs; nobody can type it.
 */
public final class MappedExistsQueryBuilder extends AbstractQueryBuilder<MappedExistsQueryBuilder> {

    static final String NAME = "simhash_mapped_exists";

    private final String field;

    public MappedExistsQueryBuilder(String field) {
        this.field = field;
    }

    MappedExistsQueryBuilder(StreamInput in) throws IOException {
        super(in);
        this.field = in.readString();
    }

    /** For the node's registry. */
    public static QuerySpec<MappedExistsQueryBuilder> spec() {
        return SentByJobs.query(NAME, MappedExistsQueryBuilder::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeString(field);
    }

    @Override
    protected QueryBuilder doRewrite(QueryRewriteContext context) {
        QueryShardContext shard = context.convertToShardContext();
        if (shard == null) {
            return this;
        }
        boolean isMapped = shard.getMapperService().fieldType(field) != null;
        return isMapped ? QueryBuilders.existsQuery(field) : new MatchNoneQueryBuilder();
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        throw new IllegalStateException("[" + NAME + "] is rewritten before");
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME).field("field", field).endObject();
    }

    @Override
    protected boolean doEquals(MappedExistsQueryBuilder other) {
        return field.equals(other.field);
    }

    @Override
    protected int doHashCode() {
        return field.hashCode();
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }
}
