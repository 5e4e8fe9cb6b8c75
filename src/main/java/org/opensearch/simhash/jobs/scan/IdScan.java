/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.ObjIntConsumer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.LeafBucketCollector;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.core.join.NearJoin.RankedSet;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.scan.IdScan.LeafIds.IdsPosition;
import org.opensearch.simhash.jobs.scan.IdScan.LeafIds.ShardIds;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageAggregator;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.ShardPage;

/**
 * Reads ids of documents of a point in time, page by page from all shards at once, in the order of each shard. Blocks
 * its one thread.
 */
public record IdScan(PointInTime pointInTime) {

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
            List<ShardIds> pages = pointInTime.pages(
                    JobQuery.documents(Map.copyOf(unfinished)),
                    IdsAggregator.KIND,
                    new IdsAggregator.Page(Map.copyOf(after), limit, routings));
            long read = 0;
            Set<ShardId> more = new HashSet<>();
            for (ShardIds page : pages) {
                Positions ofShard = positions.get(page.shard());
                if (unfinished.containsKey(page.shard()) == false) {
                    continue;
                }
                add(page.ids(), ofShard, (id, position) -> sink.id(position, id));
                add(page.routings(), ofShard, (routing, position) -> sink.routing(position, routing));
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

    private static void add(ShardIds.Column column, Positions positions, ObjIntConsumer<BytesRef> taker) {
        BytesRef bytes = new BytesRef();
        for (int i = 0; i < column.size(); i++) {
            column.get(i, bytes);
            taker.accept(bytes, positions.of(column.documents()[i]));
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

        static final PageKind<Page, ShardIds> KIND =
                new PageKind<>("simhash_ids", Page::new, ShardIds::new, IdsAggregator::new);

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
        }

        private final IdsPosition after;
        private final LeafIds ids;

        /** The leaf whose ids are not read yet; null after that. */
        private LeafReaderContext leaf;

        private FixedBitSet wanted;

        IdsAggregator(Page page, SearchContext context, Aggregator parent, Map<String, Object> metadata)
                throws IOException {
            super(KIND.name(), context, parent, metadata);
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

    /**
     * Reads ids of documents of Lucene leaves. If many documents of a leaf are wanted, it walks the {@code _id} terms and
     * their postings once, else it reads stored fields. Routings always come from their terms. A page ends after a number
     * of ids or of terms.
     *
     * <p>Cost: 0.1 µs per term, or a few µs per stored document. Not thread-safe.
     */
    static final class LeafIds {

        /** How many terms take as long as one stored document. */
        private static final int TERMS_PER_DOCUMENT = 64;

        /** Terms of a page. They take a second or two, which delays cancellation. */
        private static final int MOST_TERMS = 1 << 24;

        /** The class is not public. Where it has another name, reading is as right, and slower. */
        static final String TIMEOUTS = "org.opensearch.search.internal.ExitableDirectoryReader$ExitableLeafReader";

        private final int limit;
        private final boolean withRoutings;
        private final BytesColumn ids;
        private final BytesColumn routings;
        private int terms;

        /** Start of the next page; null until this one is full. */
        private IdsPosition next;

        /**
         * @param limit most ids and routings of a page
         * @param memory is told the bytes first, and may refuse them
         */
        LeafIds(int limit, boolean withRoutings, LongConsumer memory) {
            this.limit = limit;
            this.withRoutings = withRoutings;
            this.ids = new BytesColumn(memory);
            this.routings = new BytesColumn(memory);
        }

        boolean isFull() {
            return next != null;
        }

        /**
         * Reads a leaf until the page is full.
         *
         * @param wanted documents of the leaf
         * @param from last position read
         */
        void read(LeafReaderContext leaf, FixedBitSet wanted, IdsPosition from) throws IOException {
            LeafReader reader = withoutTimeouts(leaf.reader());
            if (from.isRouting() == false) {
                Terms found = reader.terms(IdFieldMapper.NAME);
                if (found == null || found.size() > (long) wanted.cardinality() * TERMS_PER_DOCUMENT) {
                    readStored(leaf, wanted, from);
                } else {
                    readTerms(leaf, found, wanted, from, ids);
                }
            }
            Terms found = withRoutings && isFull() == false ? reader.terms(RoutingFieldMapper.NAME) : null;
            if (found != null) {
                readTerms(leaf, found, wanted, from.isRouting() ? from : from.routings(), routings);
            }
        }

        /**
         * Without OpenSearch's outermost wrapper, which looks for cancellation at each term, and takes no postings to use again: making new
         * ones takes most of the time. All other wrappers stay: some hide documents.
         */
        private static LeafReader withoutTimeouts(LeafReader reader) {
            return reader instanceof FilterLeafReader filter
                            && filter.getClass().getName().equals(TIMEOUTS)
                    ? filter.getDelegate()
                    : reader;
        }

        private void readTerms(
                LeafReaderContext leaf, Terms found, FixedBitSet wanted, IdsPosition from, BytesColumn column)
                throws IOException {
            TermsEnum term = found.iterator();
            PostingsEnum postings = null;
            for (BytesRef id = first(term, from.term()); id != null; id = term.next()) {
                postings = term.postings(postings, PostingsEnum.NONE);
                for (int doc = postings.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = postings.nextDoc()) {
                    // At most one document per id is live. Nested documents have the id of their parent.
                    if (wanted.get(doc)) {
                        column.add(leaf.docBase + doc, id);
                    }
                }
                if (++terms >= MOST_TERMS || isLimitReached()) {
                    next = from.afterTerm(id);
                    return;
                }
            }
        }

        private static BytesRef first(TermsEnum terms, BytesRef after) throws IOException {
            if (after == null) {
                return terms.next();
            }
            return switch (terms.seekCeil(after)) {
                case FOUND -> terms.next();
                case NOT_FOUND -> terms.term();
                case END -> null;
            };
        }

        private void readStored(LeafReaderContext leaf, FixedBitSet wanted, IdsPosition from) throws IOException {
            StoredFields stored = leaf.reader().storedFields();
            int doc = from.document() + 1 < wanted.length() ? wanted.nextSetBit(from.document() + 1) : -1;
            while (doc >= 0 && doc != DocIdSetIterator.NO_MORE_DOCS) {
                int document = doc;
                stored.document(doc, new StoredFieldVisitor() {
                    @Override
                    public Status needsField(FieldInfo field) {
                        return field.name.equals(IdFieldMapper.NAME) ? Status.YES : Status.NO;
                    }

                    @Override
                    public void binaryField(FieldInfo field, byte[] value) {
                        ids.add(leaf.docBase + document, new BytesRef(value));
                    }
                });
                if (isLimitReached()) {
                    next = from.afterDocument(doc);
                    return;
                }
                doc = doc + 1 < wanted.length() ? wanted.nextSetBit(doc + 1) : -1;
            }
        }

        private boolean isLimitReached() {
            return ids.size() + routings.size() >= limit;
        }

        ShardIds build(ShardId shard) {
            return new ShardIds(shard, next, ids.build(), routings.build());
        }

        /** Collects bytes of documents; 8 bytes of overhead per document. Not thread-safe. */
        private static final class BytesColumn {

            private static final int FIRST_CAPACITY = 256;

            private final LongConsumer memory;
            private int[] documents = new int[0];
            private int[] ends = new int[0];
            private byte[] bytes = new byte[0];
            private int size;

            /** @param memory is told the bytes first, and may refuse them */
            BytesColumn(LongConsumer memory) {
                this.memory = memory;
            }

            int size() {
                return size;
            }

            void add(int document, BytesRef value) {
                int start = size == 0 ? 0 : ends[size - 1];
                int end = Math.addExact(start, value.length);
                if (size == documents.length) {
                    int capacity = Math.max(FIRST_CAPACITY, 2 * size);
                    memory.accept(2L * Integer.BYTES * (capacity - size));
                    documents = Arrays.copyOf(documents, capacity);
                    ends = Arrays.copyOf(ends, capacity);
                }
                if (end > bytes.length) {
                    int capacity = ArrayUtil.oversize(end, Byte.BYTES);
                    memory.accept(capacity - bytes.length);
                    bytes = Arrays.copyOf(bytes, capacity);
                }
                System.arraycopy(value.bytes, value.offset, bytes, start, value.length);
                documents[size] = document;
                ends[size++] = end;
            }

            ShardIds.Column build() {
                return new ShardIds.Column(
                        Arrays.copyOf(documents, size),
                        Arrays.copyOf(ends, size),
                        Arrays.copyOf(bytes, size == 0 ? 0 : ends[size - 1]));
            }
        }

        /**
         * A page of ids and routings of one shard, in no order.
         *
         * @param next start of the next page; null if none follows
         * @param ids in the encoding of the index
         * @param routings of the documents that are not routed by their ids
         */
        record ShardIds(ShardId shard, IdsPosition next, Column ids, Column routings) implements ShardPage {

            /**
             * Bytes per document.
             *
             * @param documents by number in the shard's reader
             * @param ends end of each document's bytes
             */
            @SuppressWarnings("ArrayRecordComponent") // Columns; never compared.
            record Column(int[] documents, int[] ends, byte[] bytes) implements Writeable {

                Column(StreamInput in) throws IOException {
                    this(in.readVIntArray(), in.readVIntArray(), in.readByteArray());
                }

                @Override
                public void writeTo(StreamOutput out) throws IOException {
                    out.writeVIntArray(documents);
                    out.writeVIntArray(ends);
                    out.writeByteArray(bytes);
                }

                int size() {
                    return documents.length;
                }

                /** Points into the column. */
                void get(int i, BytesRef target) {
                    target.bytes = bytes;
                    target.offset = i == 0 ? 0 : ends[i - 1];
                    target.length = ends[i] - target.offset;
                }
            }

            ShardIds(StreamInput in) throws IOException {
                this(new ShardId(in), in.readOptionalWriteable(IdsPosition::new), new Column(in), new Column(in));
            }

            @Override
            public int size() {
                return ids.size();
            }

            @Override
            public void writeTo(StreamOutput out) throws IOException {
                shard.writeTo(out);
                out.writeOptionalWriteable(next);
                ids.writeTo(out);
                routings.writeTo(out);
            }
        }

        /**
         * How far the ids of a shard were read.
         *
         * @param leaf ordinal of the leaf
         * @param isRouting whether the ids of the leaf were read, and its routings are next
         * @param term the last term read, or null
         * @param document the last document of the leaf read, or negative
         */
        record IdsPosition(int leaf, boolean isRouting, BytesRef term, int document) implements Writeable {

            static final IdsPosition START = new IdsPosition(0, false, null, -1);

            IdsPosition(StreamInput in) throws IOException {
                this(in.readVInt(), in.readBoolean(), in.readBoolean() ? in.readBytesRef() : null, in.readInt());
            }

            @Override
            public void writeTo(StreamOutput out) throws IOException {
                out.writeVInt(leaf);
                out.writeBoolean(isRouting);
                out.writeBoolean(term != null);
                if (term != null) {
                    out.writeBytesRef(term);
                }
                out.writeInt(document);
            }

            IdsPosition afterTerm(BytesRef last) {
                return new IdsPosition(leaf, isRouting, BytesRef.deepCopyOf(last), -1);
            }

            IdsPosition afterDocument(int last) {
                return new IdsPosition(leaf, isRouting, null, last);
            }

            /** The start of the leaf's routings. */
            IdsPosition routings() {
                return new IdsPosition(leaf, true, null, -1);
            }
        }
    }
}
