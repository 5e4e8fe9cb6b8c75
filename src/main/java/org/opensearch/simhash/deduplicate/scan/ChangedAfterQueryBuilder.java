/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.search.Query;
import org.opensearch.common.geo.ShapeRelation;
import org.opensearch.common.lucene.search.Queries;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/** The documents that were written after certain sequence numbers of their shards. Sent by jobs; nobody can type it. */
public final class ChangedAfterQueryBuilder extends AbstractQueryBuilder<ChangedAfterQueryBuilder> {

    static final String NAME = "simhash_changed_after";

    private final Map<ShardId, Long> after;

    /** @param after sequence numbers; all documents of other shards match */
    public ChangedAfterQueryBuilder(Map<ShardId, Long> after) {
        this.after = Map.copyOf(after);
    }

    ChangedAfterQueryBuilder(StreamInput in) throws IOException {
        super(in);
        this.after = in.readMap(ShardId::new, StreamInput::readZLong);
    }

    /** For the node's registry. */
    public static QuerySpec<ChangedAfterQueryBuilder> spec() {
        return SentByJobs.query(NAME, ChangedAfterQueryBuilder::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeMap(after, (o, shard) -> shard.writeTo(o), StreamOutput::writeZLong);
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject(NAME);
        for (Map.Entry<ShardId, Long> entry : after.entrySet()) {
            builder.field(entry.getKey().toString(), entry.getValue());
        }
        builder.endObject();
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
        Long last = after.get(NumberedDocuments.shard(context));
        return last == null
                ? Queries.newMatchAllQuery()
                : context.fieldMapper(SeqNoFieldMapper.NAME)
                        .rangeQuery(last, null, false, true, ShapeRelation.INTERSECTS, null, null, context);
    }

    @Override
    protected boolean doEquals(ChangedAfterQueryBuilder other) {
        return after.equals(other.after);
    }

    @Override
    protected int doHashCode() {
        return after.hashCode();
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }
}
