/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
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
 * Matches documents with any of some strings in a field, each by all of it ({@link WholeStrings}), and nothing where the field is not
 * mapped. Sent by deduplication jobs; nobody can type it.
 */
public final class WholeStringsQueryBuilder extends AbstractQueryBuilder<WholeStringsQueryBuilder> {

    static final String NAME = "simhash_whole_strings";

    private final String field;
    private final List<String> values;

    /** Any of these. */
    public WholeStringsQueryBuilder(String field, Collection<String> values) {
        this.field = field;
        this.values = List.copyOf(values);
    }

    WholeStringsQueryBuilder(StreamInput in) throws IOException {
        super(in);
        this.field = in.readString();
        this.values = in.readStringList();
    }

    /** For the node's registry. */
    public static QuerySpec<WholeStringsQueryBuilder> spec() {
        return SentByJobs.query(NAME, WholeStringsQueryBuilder::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeString(field);
        out.writeStringCollection(values);
    }

    @Override
    protected QueryBuilder doRewrite(QueryRewriteContext context) {
        QueryShardContext shard = context.convertToShardContext();
        if (shard == null) {
            return this;
        }
        String name = WholeStrings.in(shard, field);
        return name == null ? new MatchNoneQueryBuilder() : QueryBuilders.termsQuery(name, values);
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        throw new IllegalStateException("[" + NAME + "] is rewritten before");
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME).field(field, values).endObject();
    }

    @Override
    protected boolean doEquals(WholeStringsQueryBuilder other) {
        return field.equals(other.field) && values.equals(other.values);
    }

    @Override
    protected int doHashCode() {
        return Objects.hash(field, values);
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }
}
