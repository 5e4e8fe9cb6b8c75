/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Arrays;
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
import org.opensearch.simhash.deduplicate.scan.PageAggregationBuilder.InternalPages.ShardPage;

/**
 * Reads ids of documents of Lucene leaves. If many documents of a leaf are wanted, it walks the {@code _id} terms and
 * their postings once, else it reads stored fields. Routings always come from their terms. A page ends after a number
 * of ids or of terms.
 *
 * <p>Cost: 0.1 µs per term, or a few µs per stored document. Not thread-safe.
 */
final class LeafIds {

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
