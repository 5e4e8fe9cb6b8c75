/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.LeafBucketCollector;
import org.opensearch.search.internal.SearchContext;

/** Collects the matching documents of a leaf, then reads their ids. One thread, leaves in order. */
final class IdsAggregator extends PageAggregator<ShardIds> {

    static final String NAME = "simhash_ids";

    /**
     * A page of ids from each shard, in the order of the shard.
     *
     * @param after how far each shard was read; a new shard is absent
     * @param routings whether to read routings
     */
    record Page(Map<ShardId, IdsPosition> after, int limit, boolean routings)
            implements PageAggregationBuilder.WantedPage {

        Page(StreamInput in) throws IOException {
            this(in.readMap(ShardId::new, IdsPosition::new), in.readVInt(), in.readBoolean());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeMap(after, (o, shard) -> shard.writeTo(o), (o, position) -> position.writeTo(o));
            out.writeVInt(limit);
            out.writeBoolean(routings);
        }

        @Override
        public String type() {
            return NAME;
        }

        @Override
        public Aggregator aggregator(SearchContext search, Aggregator outer, Map<String, Object> meta)
                throws IOException {
            return new IdsAggregator(this, search, outer, meta);
        }
    }

    private final IdsPosition after;
    private final LeafIds ids;

    /** The leaf whose ids are not read yet; null after that. */
    private LeafReaderContext leaf;

    private FixedBitSet wanted;

    IdsAggregator(Page page, SearchContext context, Aggregator parent, Map<String, Object> metadata)
            throws IOException {
        super(NAME, context, parent, metadata);
        this.after = page.after().getOrDefault(shard, IdsPosition.START);
        this.ids = new LeafIds(page.limit(), page.routings(), this::addRequestCircuitBreakerBytes);
    }

    @Override
    public LeafBucketCollector getLeafCollector(LeafReaderContext next, LeafBucketCollector sub) throws IOException {
        readLeaf();
        if (ids.isFull() || next.ord < after.leaf()) {
            throw new CollectionTerminatedException();
        }
        leaf = next;
        addRequestCircuitBreakerBytes(bytes(next));
        wanted = new FixedBitSet(Math.max(1, next.reader().maxDoc()));
        return new LeafBucketCollector() {
            @Override
            public void collect(int doc, long bucket) {
                wanted.set(doc);
            }
        };
    }

    private static long bytes(LeafReaderContext leaf) {
        return leaf.reader().maxDoc() / Byte.SIZE;
    }

    private void readLeaf() throws IOException {
        if (leaf != null) {
            IdsPosition from = leaf.ord == after.leaf() ? after : new IdsPosition(leaf.ord, false, null, -1);
            ids.read(leaf, wanted, from);
            addRequestCircuitBreakerBytes(-bytes(leaf));
            leaf = null;
            wanted = null;
        }
    }

    @Override
    ShardIds build() throws IOException {
        readLeaf();
        return ids.build(shard);
    }
}
