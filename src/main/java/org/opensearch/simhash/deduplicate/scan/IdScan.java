/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.LeafBucketCollector;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.deduplicate.join.NearJoin.RankedSet;
import org.opensearch.simhash.deduplicate.scan.LeafIds.IdsPosition;
import org.opensearch.simhash.deduplicate.scan.LeafIds.ShardIds;
import org.opensearch.simhash.deduplicate.scan.PageAggregationBuilder.InternalPages;
import org.opensearch.simhash.deduplicate.scan.PageAggregationBuilder.PageAggregator;
import org.opensearch.simhash.memory.Account;

/**
 * Reads ids of documents of a point in time, page by page from all shards at once, in the order of each shard. Blocks
 * its one thread.
 */
public final class IdScan {

    /** Ids of a page of all shards: some 20 MB. */
    private static final int PAGE = 1 << 20;

    private static final int LEAST = 1_000;

    /** Receives ids and routings in no order. The bytes are valid during the call only. */
    public interface Sink {

        /** @param id in the encoding of the index */
        void id(int position, BytesRef id);

        /** @param routing of a document that is not routed by its id */
        void routing(int position, BytesRef routing);
    }

    private final PointInTime pointInTime;

    public IdScan(PointInTime pointInTime) {
        this.pointInTime = pointInTime;
    }

    /**
     * @param addresses of the documents, ascending and distinct; positions refer to them
     * @param routings whether to read routings
     * @param memory pays during the call
     * @param progress is told the number of ids per page
     */
    public void read(long[] addresses, boolean routings, Sink sink, LongConsumer memory, LongConsumer progress) {
        try (Account searching = new Account(memory)) {
            searching.take((long) addresses.length * (Long.BYTES + Integer.BYTES));
            Map<ShardId, int[]> unfinished = pointInTime.byShard(addresses);
            searching.give((long) addresses.length * Long.BYTES);
            Map<ShardId, Positions> positions = new HashMap<>();
            for (int start = 0; start < addresses.length; ) {
                ShardId shard = pointInTime.shards().get(pointInTime.shardOf(addresses[start]));
                int[] documents = unfinished.get(shard);
                searching.take(Positions.bytes(documents));
                positions.put(shard, Positions.of(documents, start));
                start += documents.length;
            }
            read(unfinished, positions, routings, sink, progress);
        }
    }

    private void read(
            Map<ShardId, int[]> unfinished,
            Map<ShardId, Positions> positions,
            boolean routings,
            Sink sink,
            LongConsumer progress) {
        Map<ShardId, IdsPosition> after = new HashMap<>();
        while (unfinished.isEmpty() == false) {
            int limit = Math.max(LEAST, PAGE / unfinished.size());
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(JobQuery.documents(Map.copyOf(unfinished)))
                    .size(0)
                    .trackTotalHits(false)
                    .aggregation(
                            new PageAggregationBuilder(new IdsAggregator.Page(Map.copyOf(after), limit, routings)));
            InternalPages<ShardIds> found =
                    pointInTime.search(source).getAggregations().get(IdsAggregator.NAME);
            long read = 0;
            Set<ShardId> more = new HashSet<>();
            for (ShardIds page : found.shards()) {
                Positions ofShard = positions.get(page.shard());
                if (unfinished.containsKey(page.shard()) == false) {
                    continue;
                }
                add(page.ids(), ofShard, sink::id);
                add(page.routings(), ofShard, sink::routing);
                read += page.ids().size();
                if (page.next() != null) {
                    more.add(page.shard());
                    after.put(page.shard(), page.next());
                }
            }
            unfinished.keySet().retainAll(more);
            progress.accept(read);
        }
    }

    private interface Taker {
        void take(int position, BytesRef bytes);
    }

    private static void add(ShardIds.Column column, Positions positions, Taker taker) {
        BytesRef bytes = new BytesRef();
        for (int i = 0; i < column.size(); i++) {
            column.get(i, bytes);
            taker.take(positions.of(column.documents()[i]), bytes);
        }
    }

    /**
     * Maps the documents of a shard to positions among all addresses.
     *
     * @param first position of the shard's first document
     */
    private record Positions(RankedSet documents, int first) {

        static Positions of(int[] documents, int first) {
            RankedSet set = new RankedSet(end(documents));
            for (int document : documents) {
                set.add(document);
            }
            set.rank();
            return new Positions(set, first);
        }

        private static int end(int[] documents) {
            return documents.length == 0 ? 0 : documents[documents.length - 1] + 1;
        }

        static long bytes(int[] documents) {
            return RankedSet.bytes(end(documents));
        }

        int of(int document) {
            return first + documents.rankOf(document);
        }
    }

    /** Collects the matching documents of a leaf, then reads their ids. One thread, leaves in order. */
    static final class IdsAggregator extends PageAggregator<ShardIds> {

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
        public LeafBucketCollector getLeafCollector(LeafReaderContext next, LeafBucketCollector sub)
                throws IOException {
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
}
