/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.util.BytesRef;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.FingerprintRows;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.join.RowSink;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageShard;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.RowPage;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.query.FingerprintMapping;
import org.opensearch.simhash.search.query.FingerprintMapping.SketchMapping;

/**
 * Reads fingerprints, long hashes or sketches of a point in time, page by page from all shards at once. It can be repeated; strata keep
 * their numbers. Blocks its one thread.
 */
public final class FingerprintPages {

    /** Rows of a page of all shards, 1.4 MB on the wire: the collector frees arrays above half a megabyte late. */
    private static final int PAGE = 60_000;

    /** A row with words is at most so many times as long as one of a fingerprint. */
    private static final int WORDS = 6;

    /** Behind all documents. */
    private static final int END = Integer.MAX_VALUE;

    private final PointInTime pointInTime;
    private final String field;
    private final Prints prints;
    private final List<String> same;
    private final Chunks chunks;
    private final Wanted wanted;
    private final Map<Long, Integer> strata = new HashMap<>();
    private final Map<Long, Integer> guards = new HashMap<>();
    private Map<String, Long> schemes = new TreeMap<>();
    private long documents;
    private long fingerprinted;

    public FingerprintPages(
            PointInTime pointInTime, String field, Prints prints, List<String> same, Chunks chunks, Wanted wanted) {
        this.pointInTime = pointInTime;
        this.field = field;
        this.prints = prints;
        this.same = same;
        this.chunks = chunks;
        this.wanted = wanted;
    }

    /**
     * Adds all wanted documents to the rows.
     *
     * @param query selects the documents to look at; null for all if few are wanted
     */
    public void read(QueryBuilder query, RowSink rows, LongConsumer documentsRead) {
        documents = 0;
        fingerprinted = 0;
        schemes = new TreeMap<>();
        add(query, rows, documentsRead);
    }

    /** The same with two sides. */
    public void read(QueryBuilder query, QueryBuilder others, FingerprintRows rows, LongConsumer documentsRead) {
        // Few wanted documents are those that the query has selected before.
        read(others == null && wanted.areFew() ? null : query, rows, documentsRead);
        if (others != null) {
            rows.otherSide();
            add(others, rows, documentsRead);
        }
    }

    private void add(QueryBuilder query, RowSink rows, LongConsumer documentsRead) {
        QueryBuilder looked = query;
        if (wanted.areFew()) {
            BoolQueryBuilder few = new BoolQueryBuilder().filter(pointInTime.these(wanted.toRead()));
            looked = query == null ? few : few.filter(query);
        }
        Map<ShardId, Integer> after = new HashMap<>();
        List<ShardId> shards = pointInTime.shards();
        int limit = Math.max(1_000, PAGE / Math.max(1, shards.size())) / (prints.haveWords() ? WORDS : 1);
        Set<ShardId> unfinished = new HashSet<>(shards);
        while (unfinished.isEmpty() == false) {
            var wantedPage = new ColumnsReader.Page(field, prints, same, after, limit, chunks);
            long before = documents;
            Set<ShardId> more = new HashSet<>();
            QueryBuilder next = after.isEmpty()
                    ? looked
                    : new BoolQueryBuilder().filter(looked).filter(JobQuery.after(after));
            for (RowPage page : pointInTime.pages(next, ColumnsReader.KIND, wantedPage)) {
                int lastDocument = unfinished.contains(page.shard()) ? page.read(in -> add(page, in, rows)) : END;
                if (lastDocument < END) {
                    more.add(page.shard());
                }
                after.put(page.shard(), lastDocument);
            }
            unfinished.retainAll(more);
            documentsRead.accept(documents - before);
        }
    }

    /** Returns the last document looked at; {@link #END} if no page follows. */
    private int add(RowPage page, StreamInput in, RowSink rows) throws IOException {
        int lastDocument = in.readVInt();
        documents += in.readVLong();
        fingerprinted += in.readVLong();
        in.readMap(StreamInput::readString, StreamInput::readVLong)
                .forEach((scheme, count) -> schemes.merge(scheme, count, Long::sum));
        int[] strataHere = new int[in.readVInt()];
        for (int i = 0; i < strataHere.length; i++) {
            strataHere[i] = stratum(in.readLong(), in.readLong(), rows);
        }
        long[] words = {};
        for (int i = 0; i < page.size(); i++) {
            long address = pointInTime.address(page.shard(), in.readVInt());
            int stratum = in.readInt();
            long bits = in.readLong();
            long digest = in.readLong();
            if (prints.haveWords() && stratum >= 0) {
                words = in.readLongArray();
            }
            if (wanted.excludes(address)) {
                continue;
            }
            if (stratum < 0) {
                rows.addWithoutBits(address, digest, strataHere[~stratum]);
            } else if (prints.haveWords()) {
                rows.addWords(address, bits, digest, strataHere[stratum], words, 0);
            } else {
                rows.add(address, bits, digest, strataHere[stratum]);
            }
        }
        return lastDocument;
    }

    /** The rows account for a new stratum. */
    private int stratum(long hash, long guardHash, RowSink rows) {
        Integer known = strata.get(hash);
        if (known != null) {
            return known;
        }
        int stratum = strata.size();
        rows.stratum(stratum, guards.getOrDefault(guardHash, guards.size()), hash);
        guards.putIfAbsent(guardHash, guards.size());
        strata.put(hash, stratum);
        return stratum;
    }

    public long documents() {
        return documents;
    }

    public long fingerprinted() {
        return fingerprinted;
    }

    public Map<String, Long> schemes() {
        return schemes;
    }

    /**
     * Collects the page of a shard and ends the search when the page is full.
     *
     * <p>A row is a document, by number in the shard's reader, its stratum (complemented without bits), its bits or the hash of its
     * sketch, the hash of its digest (0 for none), and the words of its sketch.
     */
    static final class ColumnsReader implements PageReader {

        static final PageKind<Page> KIND = new PageKind<>("simhash_columns", Page::new, ColumnsReader::new);

        /** A page of fingerprints from each shard, in the order of the shard's reader. */
        record Page(
                String field, Prints prints, List<String> same, Map<ShardId, Integer> after, int limit, Chunks chunks)
                implements Writeable {

            Page(StreamInput in) throws IOException {
                this(
                        in.readString(),
                        new Prints(in),
                        in.readStringList(),
                        in.readMap(ShardId::new, StreamInput::readInt),
                        in.readVInt(),
                        new Chunks(in));
            }

            @Override
            public void writeTo(StreamOutput out) throws IOException {
                out.writeString(field);
                prints.writeTo(out);
                out.writeStringCollection(same);
                out.writeMap(after, (o, shard) -> shard.writeTo(o), StreamOutput::writeInt);
                out.writeVInt(limit);
                chunks.writeTo(out);
            }
        }

        /** An entry of a map and its value. */
        private static final int STRATUM_BYTES = 160;

        private final Page page;
        private final PageShard shard;
        private final Optional<IndexedFields> fields;
        private final Map<Long, Stratum> strata = new LinkedHashMap<>();
        private final int after;
        private int lastDocument = -1;
        private long documents;
        private long fingerprinted;

        /** Documents that may be linked by their fingerprints. */
        static final class Stratum {

            final int number;

            private final String scheme;
            private final long guard;
            long documents;

            private Stratum(int number, String scheme, long guard) {
                this.number = number;
                this.scheme = scheme;
                this.guard = guard;
            }
        }

        private ColumnsReader(Page page, PageShard shard) {
            this.page = page;
            this.shard = shard;
            FingerprintMapping mapping = new FingerprintMapping(shard.context(), page.field());
            this.fields = page.prints().areSketches()
                    ? new SketchMapping(shard.context(), SketchKind.MINHASH, page.field()).readableFields()
                    : mapping.readableFields()
                            .map(found ->
                                    page.prints().haveWords() ? mapping.ofLength(found, LongHash.MOST_BITS) : found);
            this.after = page.after().getOrDefault(shard.id(), -1);
        }

        Page page() {
            return page;
        }

        /** Accounts for what is kept beside the rows. */
        LongConsumer memory() {
            return shard.memory();
        }

        private boolean isFull() {
            return shard.rows().size() >= page.limit();
        }

        @Override
        public Documents open(LeafReaderContext leaf) throws IOException {
            if (isFull() || after - leaf.docBase >= leaf.reader().maxDoc() - 1) {
                throw new CollectionTerminatedException();
            }
            if (leaf.docBase <= lastDocument) {
                throw new IllegalStateException("leaves must come in their order");
            }
            LeafColumns values = fields.isEmpty() ? null : new LeafColumns(leaf, fields.get(), shard.context(), this);
            return doc -> {
                int document = leaf.docBase + doc;
                if (document <= after) {
                    return;
                }
                if (isFull()) {
                    throw new CollectionTerminatedException();
                }
                lastDocument = document;
                documents++;
                if (values != null) {
                    values.collect(doc);
                }
            };
        }

        void countFingerprinted() {
            fingerprinted++;
        }

        Stratum stratum(String scheme, long guard) {
            long hash = LeafColumns.hash(new BytesRef(scheme)) + guard * 0xD6E8_FEB8_6659_FD93L;
            return strata.computeIfAbsent(hash, any -> {
                shard.memory().accept(STRATUM_BYTES);
                return new Stratum(strata.size(), scheme, guard);
            });
        }

        /** @param words of a hash or a sketch; null for a fingerprint */
        void add(int document, int stratum, long value, long digest, long[] words) throws IOException {
            if (page.chunks().contains(value)) {
                StreamOutput out = write(document, stratum, value, digest);
                if (words != null) {
                    out.writeLongArray(words);
                }
            }
        }

        void addWithoutBits(int document, int stratum, long digest) throws IOException {
            if (page.chunks().contains(digest)) {
                write(document, ~stratum, 0, digest);
            }
        }

        private StreamOutput write(int document, int stratum, long value, long digest) throws IOException {
            StreamOutput out = shard.rows().next();
            out.writeVInt(document);
            out.writeInt(stratum);
            out.writeLong(value);
            out.writeLong(digest);
            return out;
        }

        /**
         * How many documents have a fingerprint; documents by scheme, with an empty name for those without; hash of each stratum (scheme
         * and guards) and of its guards.
         */
        @Override
        public void end(StreamOutput head) throws IOException {
            head.writeVInt(isFull() ? Math.max(after, lastDocument) : END);
            head.writeVLong(documents);
            head.writeVLong(fingerprinted);
            Map<String, Long> schemes = new HashMap<>();
            strata.values().forEach(stratum -> schemes.merge(stratum.scheme, stratum.documents, Long::sum));
            head.writeMap(schemes, StreamOutput::writeString, StreamOutput::writeVLong);
            head.writeVInt(strata.size());
            for (Map.Entry<Long, Stratum> stratum : strata.entrySet()) {
                head.writeLong(stratum.getKey());
                head.writeLong(stratum.getValue().guard);
            }
        }
    }
}
