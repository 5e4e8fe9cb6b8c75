/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
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
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.simhash.core.join.NearJoin.RankedSet;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.scan.IdScan.LeafIds.IdsPosition;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageShard;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.RowPage;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.Rows;

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
                ShardId shard = pointInTime.shard(addresses[start]);
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
            List<RowPage> pages = pointInTime.pages(
                    JobQuery.documents(Map.copyOf(unfinished)),
                    IdsReader.KIND,
                    new IdsReader.Page(Map.copyOf(after), limit, routings));
            AtomicLong read = new AtomicLong();
            Set<ShardId> more = new HashSet<>();
            for (RowPage page : pages) {
                if (unfinished.containsKey(page.shard())) {
                    Positions ofShard = positions.get(page.shard());
                    IdsPosition next = LeafIds.read(page, (document, bytes, isRouting) -> {
                        if (isRouting) {
                            sink.routing(ofShard.of(document), bytes);
                        } else {
                            sink.id(ofShard.of(document), bytes);
                            read.incrementAndGet();
                        }
                    });
                    if (next != null) {
                        more.add(page.shard());
                        after.put(page.shard(), next);
                    }
                }
            }
            unfinished.keySet().retainAll(more);
            progress.accept(read.get());
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

    /** Collects the matching documents of a leaf, then reads their ids. */
    static final class IdsReader implements PageReader {

        static final PageKind<Page> KIND = new PageKind<>("simhash_ids", Page::new, IdsReader::new);

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

        private final LongConsumer memory;
        private final IdsPosition after;
        private final LeafIds ids;

        /** The leaf whose ids are not read yet; null after that. */
        private LeafReaderContext leaf;

        private FixedBitSet wanted;

        private IdsReader(Page page, PageShard shard) {
            this.memory = shard.memory();
            this.after = page.after().getOrDefault(shard.id(), IdsPosition.START);
            this.ids = new LeafIds(page.limit(), page.routings(), shard.rows());
        }

        @Override
        public Documents open(LeafReaderContext next) throws IOException {
            readLeaf();
            if (ids.isFull() || next.ord < after.leaf()) {
                throw new CollectionTerminatedException();
            }
            leaf = next;
            memory.accept(bytes(next));
            wanted = new FixedBitSet(Math.max(1, next.reader().maxDoc()));
            return wanted::set;
        }

        private static long bytes(LeafReaderContext leaf) {
            return leaf.reader().maxDoc() / Byte.SIZE;
        }

        private void readLeaf() throws IOException {
            if (leaf != null) {
                IdsPosition from = leaf.ord == after.leaf() ? after : new IdsPosition(leaf.ord, false, null, -1);
                ids.read(leaf, wanted, from);
                memory.accept(-bytes(leaf));
                leaf = null;
                wanted = null;
            }
        }

        @Override
        public void end(StreamOutput head) throws IOException {
            readLeaf();
            ids.end(head);
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
        private final Rows rows;
        private int terms;

        /** Start of the next page; null until this one is full. */
        private IdsPosition next;

        /**
         * @param limit most ids and routings of a page
         * @param rows gets them
         */
        LeafIds(int limit, boolean withRoutings, Rows rows) {
            this.limit = limit;
            this.withRoutings = withRoutings;
            this.rows = rows;
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
                    readTerms(leaf, found, wanted, from);
                }
            }
            Terms found = withRoutings && isFull() == false ? reader.terms(RoutingFieldMapper.NAME) : null;
            if (found != null) {
                readTerms(leaf, found, wanted, from.isRouting() ? from : from.routings());
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

        private void readTerms(LeafReaderContext leaf, Terms found, FixedBitSet wanted, IdsPosition from)
                throws IOException {
            TermsEnum term = found.iterator();
            PostingsEnum postings = null;
            for (BytesRef id = first(term, from.term()); id != null; id = term.next()) {
                postings = term.postings(postings, PostingsEnum.NONE);
                for (int doc = postings.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = postings.nextDoc()) {
                    // At most one document per id is live. Nested documents have the id of their parent.
                    if (wanted.get(doc)) {
                        add(leaf.docBase + doc, id, from.isRouting());
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
                    public void binaryField(FieldInfo field, byte[] value) throws IOException {
                        add(leaf.docBase + document, new BytesRef(value), false);
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
            return rows.size() >= limit;
        }

        private void add(int document, BytesRef bytes, boolean isRouting) throws IOException {
            StreamOutput out = rows.next();
            out.writeVInt(document);
            out.writeBoolean(isRouting);
            out.writeBytesRef(bytes);
        }

        void end(StreamOutput head) throws IOException {
            head.writeOptionalWriteable(next);
        }

        interface Taker {
            /** @param document by number in the shard's reader */
            void take(int document, BytesRef bytes, boolean isRouting);
        }

        /** Returns the start of the next page; null if none follows. */
        static IdsPosition read(RowPage page, Taker taker) {
            return page.read(in -> {
                IdsPosition next = in.readOptionalWriteable(IdsPosition::new);
                for (int i = 0; i < page.size(); i++) {
                    int document = in.readVInt();
                    boolean isRouting = in.readBoolean();
                    taker.take(document, in.readBytesRef(), isRouting);
                }
                return next;
            });
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
