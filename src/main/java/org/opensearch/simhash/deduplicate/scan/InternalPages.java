/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.aggregations.InternalAggregation;

/** The pages of all shards. */
final class InternalPages<P extends InternalPages.ShardPage> extends InternalAggregation {

    private final String type;
    private final List<P> shards;

    InternalPages(String name, String type, List<P> shards, Map<String, Object> metadata) {
        super(name, metadata);
        this.type = type;
        this.shards = shards;
    }

    InternalPages(StreamInput in, String type, Writeable.Reader<P> page) throws IOException {
        super(in);
        this.type = type;
        this.shards = in.readList(page);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        out.writeList(shards);
    }

    List<P> shards() {
        return shards;
    }

    @Override
    @SuppressWarnings("unchecked") // Aggregations of one type have pages of one class.
    public InternalAggregation reduce(List<InternalAggregation> aggregations, ReduceContext context) {
        List<P> all = new ArrayList<>();
        aggregations.forEach(aggregation -> all.addAll(((InternalPages<P>) aggregation).shards));
        return new InternalPages<>(name, type, all, getMetadata());
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
        throw new IllegalArgumentException("[" + type + "] has no properties, got: " + path);
    }

    @Override
    public XContentBuilder doXContentBody(XContentBuilder builder, Params params) throws IOException {
        for (P page : shards) {
            builder.field(page.shard().toString(), page.size());
        }
        return builder;
    }

    @Override
    public String getWriteableName() {
        return type;
    }

    /** The page of one shard. */
    interface ShardPage extends Writeable {

        ShardId shard();

        /** Number of rows. */
        int size();
    }
}
