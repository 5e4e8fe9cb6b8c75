/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.search.Query;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;

/**
 * The skeleton of a query that only jobs send. A user cannot type such a query ({@link SentByJobs}).
 *
 * <p>A subclass overrides one of two methods. {@link #onShard} replaces the query by queries of OpenSearch. {@link #doToQuery}
 * makes a Lucene query.
 */
abstract class JobQueryBuilder<Q extends JobQueryBuilder<Q>> extends AbstractQueryBuilder<Q> {

    private final String name;

    JobQueryBuilder(String name) {
        this.name = name;
    }

    JobQueryBuilder(String name, StreamInput in) throws IOException {
        super(in);
        this.name = name;
    }

    /** What makes two queries of one class equal. */
    abstract Object value();

    /** What logs and profiles show. */
    abstract Map<String, ?> shown();

    /** The same of values by shard. */
    static Map<String, ?> shown(Map<ShardId, ?> values) {
        Map<String, Object> shown = new TreeMap<>();
        values.forEach((shard, value) -> shown.put(shard.toString(), value));
        return shown;
    }

    /** The query to run on a shard instead of this one. */
    QueryBuilder onShard(QueryShardContext shard) {
        return this;
    }

    @Override
    protected final QueryBuilder doRewrite(QueryRewriteContext context) {
        QueryShardContext shard = context.convertToShardContext();
        return shard == null ? this : onShard(shard);
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        throw new IllegalStateException("[" + name + "] is rewritten before");
    }

    @Override
    protected final void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.field(name, shown());
    }

    @Override
    protected final boolean doEquals(Q other) {
        return value().equals(other.value());
    }

    @Override
    protected final int doHashCode() {
        return value().hashCode();
    }

    @Override
    public final String getWriteableName() {
        return name;
    }
}
