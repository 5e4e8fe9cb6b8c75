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
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/** Matches the documents written after a sequence number of their shard. */
public final class ChangedAfterQueryBuilder extends JobQueryBuilder<ChangedAfterQueryBuilder> {

    static final String NAME = "simhash_changed_after";

    private final Map<ShardId, Long> after;

    /** @param after sequence numbers; in other shards, every document matches */
    public ChangedAfterQueryBuilder(Map<ShardId, Long> after) {
        super(NAME);
        this.after = Map.copyOf(after);
    }

    ChangedAfterQueryBuilder(StreamInput in) throws IOException {
        super(NAME, in);
        this.after = in.readMap(ShardId::new, StreamInput::readZLong);
    }

    public static QuerySpec<ChangedAfterQueryBuilder> spec() {
        return SentByJobs.query(NAME, ChangedAfterQueryBuilder::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeMap(after, (o, shard) -> shard.writeTo(o), StreamOutput::writeZLong);
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
    Object value() {
        return after;
    }

    @Override
    Map<String, ?> shown() {
        return shown(after);
    }
}
