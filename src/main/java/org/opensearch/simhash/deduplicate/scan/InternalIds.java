/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.aggregations.InternalAggregation;

/** The pages of all shards side by side. */
final class InternalIds extends InternalAggregation {

    private final List<ShardIds> shards;

    InternalIds(String name, List<ShardIds> shards, Map<String, Object> metadata) {
        super(name, metadata);
        this.shards = shards;
    }

    InternalIds(StreamInput in) throws IOException {
        super(in);
        this.shards = in.readList(ShardIds::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeList(shards);
    }

    List<ShardIds> shards() {
        return shards;
    }

    @Override
    public InternalAggregation reduce(List<InternalAggregation> aggregations, ReduceContext context) {
        List<ShardIds> all = new ArrayList<>();
        aggregations.forEach(aggregation -> all.addAll(((InternalIds) aggregation).shards));
        return new InternalIds(name, all, getMetadata());
    }

    @Override
    protected boolean mustReduceOnSingleInternalAgg() {
        return false;
    }

    @Override
    public Object getProperty(List<String> path) {
        if (path.isEmpty()) {
            return this;
        }
        throw new IllegalArgumentException("[" + getWriteableName() + "] has no properties, got: " + path);
    }

    @Override
    public XContentBuilder doXContentBody(XContentBuilder builder, Params params) throws IOException {
        for (ShardIds ids : shards) {
            builder.field(ids.shard().toString(), ids.ids().size());
        }
        return builder;
    }

    @Override
    public String getWriteableName() {
        return IdsAggregationBuilder.NAME;
    }
}
