/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.plugins.SearchPlugin.AggregationSpec;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.internal.SearchContext;

/** Reads a page of ids from each shard, in the order of the shard. Only jobs send it. */
public final class IdsAggregationBuilder extends PageAggregationBuilder<IdsAggregationBuilder> {

    static final String NAME = "simhash_ids";

    private final Page page;

    /**
     * @param after how far each shard was read; a new shard is absent
     * @param limit most ids per shard
     * @param routings whether to read routings
     */
    record Page(Map<ShardId, IdsPosition> after, int limit, boolean routings) {}

    IdsAggregationBuilder(Page page) {
        super(NAME);
        this.page = page;
    }

    private IdsAggregationBuilder(
            IdsAggregationBuilder clone, AggregatorFactories.Builder factories, Map<String, Object> metadata) {
        super(clone, factories, metadata);
        this.page = clone.page;
    }

    IdsAggregationBuilder(StreamInput in) throws IOException {
        super(in);
        this.page = new Page(in.readMap(ShardId::new, IdsPosition::new), in.readVInt(), in.readBoolean());
    }

    public static AggregationSpec spec() {
        return spec(NAME, IdsAggregationBuilder::new, ShardIds::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeMap(page.after, (o, shard) -> shard.writeTo(o), (o, position) -> position.writeTo(o));
        out.writeVInt(page.limit);
        out.writeBoolean(page.routings);
    }

    @Override
    Aggregator aggregator(SearchContext search, Aggregator outer, Map<String, Object> meta) throws IOException {
        return new IdsAggregator(name, page, search, outer, meta);
    }

    @Override
    protected AggregationBuilder shallowCopy(AggregatorFactories.Builder factories, Map<String, Object> meta) {
        return new IdsAggregationBuilder(this, factories, meta);
    }

    @Override
    protected XContentBuilder internalXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject().field("limit", page.limit).endObject();
    }

    @Override
    public String getType() {
        return NAME;
    }
}
