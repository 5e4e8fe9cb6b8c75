/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageShard;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.RowPage;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.Rows;
import org.opensearch.simhash.search.match.Cancellation;

/** Reads ids of documents of a point in time, some million documents at a time. Blocks its one thread. */
public record IdScan(PointInTime pointInTime) {

    /** Most documents of a search: some 140 MB. Each search may walk all ids of the index, so that many small ones take long. */
    private static final int PAGE = 5 << 20;

    /** Of a document of a page: its address, and its number by shard, twice. */
    private static final int BYTES = Long.BYTES + 2 * Integer.BYTES;

    /** Receives ids, in the encoding of the index, and routings of documents that are not routed by them, in no order. */
    @FunctionalInterface
    public interface Sink {

        /** @param bytes valid during the call only */
        void take(int position, BytesRef bytes, boolean isRouting);
    }

    /** @param addresses of the documents, ascending and distinct; positions refer to them */
    public void read(long[] addresses, boolean routings, Sink sink, LongConsumer memory, LongConsumer progress) {
        int pages = Math.ceilDiv(addresses.length, PAGE);
        for (int number = 0; number < pages; number++) {
            int from = (int) ((long) addresses.length * number / pages);
            int to = (int) ((long) addresses.length * (number + 1) / pages);
            try (Account searching = new Account(memory)) {
                searching.take((long) (to - from) * BYTES);
                for (RowPage page : pointInTime.pages(
                        pointInTime.these(Arrays.copyOfRange(addresses, from, to)),
                        IdsReader.KIND,
                        new IdsReader.Page(routings))) {
                    page.forEach(in -> {
                        long address = pointInTime.address(page.shard(), in.readVInt());
                        int position = Arrays.binarySearch(addresses, from, to, address);
                        boolean isRouting = in.readBoolean();
                        sink.take(position, in.readBytesRef(), isRouting);
                    });
                }
            }
            progress.accept(to - from);
        }
    }

    /**
     * Collects the matching documents of a leaf, then reads their ids. If many documents of a leaf are wanted, it walks the {@code _id}
     * terms and their postings once, else it reads stored fields. Routings always come from their terms.
     *
     * <p>Cost: 0.1 µs per term, or a few µs per stored document.
     */
    static final class IdsReader implements PageReader {

        static final PageKind<Page> KIND = new PageKind<>("simhash_ids", Page::new, IdsReader::new);

        /** How many terms take as long as one stored document. */
        private static final int TERMS_PER_DOCUMENT = 64;

        private static final int TERMS_BETWEEN_CHECKS = 1 << 16;

        /** @param routings whether to read routings */
        record Page(boolean routings) implements Writeable {

            Page(StreamInput in) throws IOException {
                this(in.readBoolean());
            }

            @Override
            public void writeTo(StreamOutput out) throws IOException {
                out.writeBoolean(routings);
            }
        }

        private final LongConsumer memory;
        private final boolean withRoutings;
        private final Rows rows;

        /** The leaf whose ids are not read yet; null after that. */
        private LeafReaderContext leaf;

        private FixedBitSet wanted;

        private IdsReader(Page page, PageShard shard) {
            this(page.routings, shard.rows(), shard.memory());
        }

        IdsReader(boolean withRoutings, Rows rows, LongConsumer memory) {
            this.withRoutings = withRoutings;
            this.rows = rows;
            this.memory = memory;
        }

        @Override
        public Documents open(LeafReaderContext next) throws IOException {
            readLeaf();
            memory.accept(bytes(next));
            leaf = next;
            wanted = new FixedBitSet(Math.max(1, next.reader().maxDoc()));
            return wanted::set;
        }

        private static long bytes(LeafReaderContext leaf) {
            return leaf.reader().maxDoc() / Byte.SIZE;
        }

        private void readLeaf() throws IOException {
            if (leaf == null) {
                return;
            }
            int documents = wanted.cardinality();
            Cancellation cancellation = new Cancellation(leaf.reader());
            // The wrapper takes no postings to use again: making new ones takes most of the time.
            LeafReader reader = Cancellation.unchecked(leaf.reader());
            Terms ids = reader.terms(IdFieldMapper.NAME);
            if (ids == null || ids.size() > (long) documents * TERMS_PER_DOCUMENT) {
                readStored();
            } else {
                readTerms(ids, false, cancellation);
            }
            Terms routings = withRoutings && documents > 0 ? reader.terms(RoutingFieldMapper.NAME) : null;
            if (routings != null) {
                readTerms(routings, true, cancellation);
            }
            memory.accept(-bytes(leaf));
            leaf = null;
            wanted = null;
        }

        private void readTerms(Terms found, boolean areRoutings, Cancellation cancellation) throws IOException {
            TermsEnum term = found.iterator();
            PostingsEnum postings = null;
            int walked = 0;
            for (BytesRef value = term.next(); value != null; value = term.next()) {
                if (walked++ % TERMS_BETWEEN_CHECKS == 0) {
                    cancellation.check();
                }
                postings = term.postings(postings, PostingsEnum.NONE);
                for (int doc = postings.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = postings.nextDoc()) {
                    // At most one document per id is live. Nested documents have the id of their parent.
                    if (wanted.get(doc)) {
                        add(doc, value, areRoutings);
                    }
                }
            }
        }

        private void readStored() throws IOException {
            StoredFields stored = leaf.reader().storedFields();
            for (int doc = wanted.nextSetBit(0); doc != DocIdSetIterator.NO_MORE_DOCS; ) {
                int document = doc;
                stored.document(doc, new StoredFieldVisitor() {
                    @Override
                    public Status needsField(FieldInfo field) {
                        return field.name.equals(IdFieldMapper.NAME) ? Status.YES : Status.NO;
                    }

                    @Override
                    public void binaryField(FieldInfo field, byte[] value) throws IOException {
                        add(document, new BytesRef(value), false);
                    }
                });
                doc = doc + 1 < wanted.length() ? wanted.nextSetBit(doc + 1) : DocIdSetIterator.NO_MORE_DOCS;
            }
        }

        private void add(int doc, BytesRef bytes, boolean isRouting) throws IOException {
            StreamOutput out = rows.next();
            out.writeVInt(leaf.docBase + doc);
            out.writeBoolean(isRouting);
            out.writeBytesRef(bytes);
        }

        @Override
        public void end(StreamOutput head) throws IOException {
            readLeaf();
        }
    }
}
