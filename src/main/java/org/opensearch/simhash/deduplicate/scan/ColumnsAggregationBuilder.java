/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.List;
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
import org.opensearch.simhash.deduplicate.join.Chunks;

/** Reads a page of fingerprints from each shard, in the order of the shard's reader. Only jobs send it. */
public final class ColumnsAggregationBuilder extends PageAggregationBuilder<ColumnsAggregationBuilder> {

    static final String NAME = "simhash_columns";

    private final Page page;

    /**
     * @param field the fingerprint object
     * @param same fields that must have equal values in linked documents
     * @param after the last document read from each shard
     * @param limit most rows per shard
     * @param chunks the wanted fingerprints
     * @param near the wanted documents; null for all
     */
    record Page(String field, List<String> same, Map<ShardId, Integer> after, int limit, Chunks chunks, Near near) {}

    ColumnsAggregationBuilder(Page page) {
        super(NAME);
        this.page = page;
    }

    private ColumnsAggregationBuilder(
            ColumnsAggregationBuilder clone, AggregatorFactories.Builder factories, Map<String, Object> metadata) {
        super(clone, factories, metadata);
        this.page = clone.page;
    }

    ColumnsAggregationBuilder(StreamInput in) throws IOException {
        super(in);
        this.page = new Page(
                in.readString(),
                in.readStringList(),
                in.readMap(ShardId::new, StreamInput::readInt),
                in.readVInt(),
                ChunksStreams.read(in),
                in.readOptionalWriteable(Near::new));
    }

    public static AggregationSpec spec() {
        return spec(NAME, ColumnsAggregationBuilder::new, ShardColumns::new);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeString(page.field);
        out.writeStringCollection(page.same);
        out.writeMap(page.after, (o, shard) -> shard.writeTo(o), StreamOutput::writeInt);
        out.writeVInt(page.limit);
        ChunksStreams.write(out, page.chunks);
        out.writeOptionalWriteable(page.near);
    }

    @Override
    Aggregator aggregator(SearchContext search, Aggregator outer, Map<String, Object> meta) throws IOException {
        return new ColumnsAggregator(name, page, search, outer, meta);
    }

    @Override
    protected AggregationBuilder shallowCopy(AggregatorFactories.Builder factories, Map<String, Object> meta) {
        return new ColumnsAggregationBuilder(this, factories, meta);
    }

    @Override
    protected XContentBuilder internalXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject().field("field", page.field).endObject();
    }

    @Override
    public String getType() {
        return NAME;
    }
}
