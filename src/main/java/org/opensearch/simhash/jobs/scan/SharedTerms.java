/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedSetDocValues;
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
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.passages.Winnowing;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageShard;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.RowPage;
import org.opensearch.simhash.search.match.Cancellation;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.query.IndexMapping;

/**
 * The documents that share a term of passages, term by term, in pages of all shards at once. A term that too many documents of a shard
 * have is a block, and is left out there. Documents without other terms than blocks are read last: they are found among themselves. One
 * thread, which waits for the pages.
 */
public final class SharedTerms {

    static final PageKind<Page> KIND = new PageKind<>("simhash_shared_terms", Page::new, TermsReader::new);

    /** Documents of the terms of a page, of all shards: some 4 MB. */
    private static final int PAGE = 250_000;

    private static final int LEAST = 1_000;

    /** Behind all terms. */
    private static final long END = Long.MAX_VALUE;

    private final PointInTime pointInTime;
    private final QueryBuilder documents;
    private final String object;
    private final PassageRule rule;
    private final Map<String, Long> schemes = new TreeMap<>();
    private long withTerms;
    private long blocks;

    /** @param object with the terms */
    public SharedTerms(PointInTime pointInTime, QueryBuilder documents, String object, PassageRule rule) {
        this.pointInTime = pointInTime;
        this.documents = new BoolQueryBuilder()
                .filter(documents)
                .filter(JobQuery.exists(object + "." + FingerprintFields.TERMS));
        this.object = object;
        this.rule = rule;
    }

    public void read(Consumer<long[]> shares, LongConsumer progress) {
        read(false, shares, progress);
        if (blocks > 0) {
            read(true, shares, progress);
        }
    }

    private void read(boolean ofBlocks, Consumer<long[]> shares, LongConsumer progress) {
        int shards = pointInTime.shards().size();
        for (long from = 0; from < END; ) {
            Page page = new Page(
                    object,
                    from,
                    Math.max(LEAST, PAGE / shards),
                    shards == 1,
                    ofBlocks,
                    rule.maxDocumentShare() == null ? -1 : rule.maxDocumentShare());
            List<ShardTerms> pages = pointInTime.pages(documents, KIND, page).stream()
                    .map(shard -> shard.read(in -> new ShardTerms(shard, in)))
                    .toList();
            if (from == 0 && ofBlocks == false) {
                for (ShardTerms shard : pages) {
                    withTerms += shard.withTerms;
                    shard.schemes.forEach((scheme, count) -> schemes.merge(scheme, count, Long::sum));
                }
            }
            // A shard whose page goes further sends the terms behind this one again: others may have them, too.
            long end = pages.stream().mapToLong(shard -> shard.next).min().orElse(END);
            blocks += pages.stream()
                    .flatMapToLong(shard -> Arrays.stream(shard.blocks))
                    .filter(term -> term < end)
                    .distinct()
                    .count();
            from = end;
            progress.accept(merge(pages, from, shares));
        }
    }

    /** What a shard sends. Its terms are ascending; they are read while they are merged. */
    private static final class ShardTerms {
        private final ShardId shard;
        /** The first term that is not read; {@link #END} if all are. */
        private final long next;

        private final long withTerms;
        /** Of the documents with terms, in the first page. */
        private final Map<String, Long> schemes;

        private final long[] blocks;

        private final StreamInput in;
        private int left;
        private long term;

        ShardTerms(RowPage page, StreamInput in) throws IOException {
            this.shard = page.shard();
            this.next = in.readLong();
            this.withTerms = in.readVLong();
            this.schemes = in.readMap(StreamInput::readString, StreamInput::readVLong);
            this.blocks = in.readLongArray();
            this.in = in;
            this.left = page.size();
            advance();
        }

        private void advance() throws IOException {
            term = left-- == 0 ? END : in.readLong();
        }

        /** Reads the documents of the term, by number in the shard's reader, and goes on to the next one. */
        int[] documents() {
            try {
                int[] documents = in.readVIntArray();
                advance();
                return documents;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private long merge(List<ShardTerms> pages, long end, Consumer<long[]> shares) {
        PriorityQueue<ShardTerms> shards = new PriorityQueue<>(Comparator.comparingLong(shard -> shard.term));
        shards.addAll(pages);
        long read = 0;
        long[] addresses = new long[64];
        while (shards.isEmpty() == false && shards.peek().term < end) {
            long term = shards.peek().term;
            int size = 0;
            while (shards.isEmpty() == false && shards.peek().term == term) {
                ShardTerms shard = shards.poll();
                int[] documents = shard.documents();
                addresses = ArrayUtil.grow(addresses, size + documents.length);
                for (int document : documents) {
                    addresses[size++] = pointInTime.address(shard.shard, document);
                }
                shards.add(shard);
            }
            read += size;
            if (size > 1) {
                shares.accept(Arrays.copyOf(addresses, size));
            }
        }
        return read;
    }

    /** Terms that a shard has left out, because too many of its documents have them. */
    public long blocks() {
        return blocks;
    }

    public long withTerms() {
        return withTerms;
    }

    public Map<String, Long> schemes() {
        return schemes;
    }

    /**
     * @param isAlone whether there is no other shard, so that a term of one document is shared with none
     * @param share of the shard's documents that no block has; negative for the default
     */
    record Page(String object, long from, int limit, boolean isAlone, boolean ofBlocks, double share)
            implements Writeable {

        Page(StreamInput in) throws IOException {
            this(in.readString(), in.readLong(), in.readVInt(), in.readBoolean(), in.readBoolean(), in.readDouble());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeString(object);
            out.writeLong(from);
            out.writeVInt(limit);
            out.writeBoolean(isAlone);
            out.writeBoolean(ofBlocks);
            out.writeDouble(share);
        }
    }

    /** Collects the matching documents, then walks the terms. */
    private static final class TermsReader implements PageReader {

        private static final int TERMS_BETWEEN_CHECKS = 1 << 10;

        private final Page page;
        private final PageShard shard;
        private final IndexReader reader;
        private final FixedBitSet wanted;
        private final Map<String, Long> schemes = new TreeMap<>();
        private int[] documents = {};
        private int found;

        private long[] blocks = {};
        private int blockCount;
        private int walked;

        TermsReader(Page page, PageShard shard) {
            this.page = page;
            this.shard = shard;
            this.reader = shard.reader();
            shard.memory().accept(reader.maxDoc() / Byte.SIZE);
            this.wanted = new FixedBitSet(Math.max(1, reader.maxDoc()));
        }

        @Override
        public Documents open(LeafReaderContext leaf) throws IOException {
            boolean isFirst = page.from == 0 && page.ofBlocks == false;
            MappedFieldType type = IndexMapping.whole(shard.context(), page.object + "." + FingerprintFields.SCHEME);
            SortedSetDocValues scheme = isFirst && type != null && type.hasDocValues()
                    ? DocValues.getSortedSet(leaf.reader(), type.name())
                    : null;
            return doc -> {
                wanted.set(leaf.docBase + doc);
                if (scheme != null && scheme.advanceExact(doc)) {
                    schemes.merge(scheme.lookupOrd(scheme.nextOrd()).utf8ToString(), 1L, Long::sum);
                }
            };
        }

        @Override
        public void end(StreamOutput head) throws IOException {
            long withTerms = wanted.cardinality();
            Terms indexed =
                    withTerms == 0 ? null : MultiTerms.getTerms(reader, page.object + "." + FingerprintFields.TERMS);
            head.writeLong(indexed == null ? END : walk(indexed));
            head.writeVLong(withTerms);
            head.writeMap(schemes, StreamOutput::writeString, StreamOutput::writeVLong);
            head.writeLongArray(Arrays.copyOf(blocks, blockCount));
        }

        /** Returns the first term that it has not read. */
        private long walk(Terms indexed) throws IOException {
            Cancellation cancellation =
                    new Cancellation(reader.leaves().getFirst().reader());
            long mostDocuments = PassageRule.mostDocuments(page.share < 0 ? null : page.share, reader.maxDoc());
            if (page.ofBlocks) {
                leaveOutOthers(indexed.iterator(), mostDocuments, cancellation);
            }
            TermsEnum all = indexed.iterator();
            PostingsEnum postings = null;
            boolean isMore = wanted.cardinality() > 0
                    && all.seekCeil(new BytesRef(Winnowing.ofNumber(page.from))) != TermsEnum.SeekStatus.END;
            for (; isMore; isMore = all.next() != null) {
                check(cancellation);
                int frequency = all.docFreq();
                long term = Winnowing.number(all.term());
                if (term < 0) {
                    continue; // written by somebody else
                }
                if (found + blockCount >= page.limit) {
                    return term;
                }
                if (frequency > mostDocuments != page.ofBlocks) {
                    addBlock(term);
                } else if (frequency > 1 || page.isAlone == false) {
                    postings = all.postings(postings, PostingsEnum.NONE);
                    add(term, postings);
                }
            }
            return END;
        }

        private void addBlock(long term) {
            if (page.ofBlocks == false) {
                if (blockCount == blocks.length) {
                    int more = Math.max(256, blockCount / 2);
                    shard.memory().accept((long) more * Long.BYTES);
                    blocks = Arrays.copyOf(blocks, blockCount + more);
                }
                blocks[blockCount++] = term;
            }
        }

        private void add(long term, PostingsEnum postings) throws IOException {
            int count = 0;
            for (int doc = postings.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = postings.nextDoc()) {
                if (wanted.get(doc)) {
                    if (count == documents.length) {
                        int more = Math.max(256, count / 2);
                        shard.memory().accept((long) more * Integer.BYTES);
                        documents = Arrays.copyOf(documents, count + more);
                    }
                    documents[count++] = doc;
                }
            }
            if (count >= (page.isAlone ? 2 : 1)) {
                StreamOutput out = shard.rows().next();
                out.writeLong(term);
                out.writeVIntArray(Arrays.copyOf(documents, count));
                found += count;
            }
        }

        /** Documents that have other terms than blocks are not wanted. */
        private void leaveOutOthers(TermsEnum all, long mostDocuments, Cancellation cancellation) throws IOException {
            PostingsEnum postings = null;
            while (all.next() != null) {
                check(cancellation);
                if (all.docFreq() <= mostDocuments) {
                    postings = all.postings(postings, PostingsEnum.NONE);
                    for (int doc = postings.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = postings.nextDoc()) {
                        wanted.clear(doc);
                    }
                }
            }
        }

        private void check(Cancellation cancellation) throws IOException {
            if (walked++ % TERMS_BETWEEN_CHECKS == 0) {
                cancellation.check();
            }
        }
    }
}
