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
 * A query that only jobs send; users cannot ({@link SentByJobs}).
 *
 * <p>A subclass overrides one of two methods: {@link #onShard} returns OpenSearch queries, {@link #doToQuery} a Lucene
 * query.
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

    /** The value by which queries of a class are equal. */
    abstract Object value();

    /** The parameters in logs and profiles. */
    abstract Map<String, ?> shown();

    /** The same for values by shard. */
    static Map<String, ?> shown(Map<ShardId, ?> values) {
        Map<String, Object> shown = new TreeMap<>();
        values.forEach((shard, value) -> shown.put(shard.toString(), value));
        return shown;
    }

    /** The query that replaces this one on a shard. */
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
