/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.ScoreMode;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.CheckedBiFunction;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.bytes.CompositeBytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.ContextParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.AggregationSpec;
import org.opensearch.search.aggregations.AbstractAggregationBuilder;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.AggregatorFactory;
import org.opensearch.search.aggregations.CardinalityUpperBound;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.LeafBucketCollector;
import org.opensearch.search.aggregations.metrics.MetricsAggregator;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.search.message.MessageForm;

/** An aggregation that reads a page from each shard. Only jobs and helpers send it; users cannot ({@link JobQuery}). */
public final class PageAggregationBuilder<W extends Writeable>
        extends AbstractAggregationBuilder<PageAggregationBuilder<W>> {

    /** Reads a page from a shard. One thread, leaves in order. */
    public interface PageReader {

        /** Reads the matching documents of a leaf, in order. */
        interface Documents {
            void take(int doc) throws IOException;
        }

        /** Throws {@link CollectionTerminatedException} for a leaf that is not read. */
        Documents open(LeafReaderContext leaf) throws IOException;

        /**
         * Adds the last rows, after all leaves.
         *
         * @param head what is written to it stands before all rows
         */
        default void end(StreamOutput head) throws IOException {}
    }

    /**
     * What a page is read from, and where to.
     *
     * @param memory accounts for bytes beside the rows until the search ends, or gets them back
     */
    public record PageShard(
            QueryShardContext context, IndexReader reader, ShardId id, Rows rows, LongConsumer memory) {}

    public record PageKind<W extends Writeable>(
            String name, Writeable.Reader<W> wanted, CheckedBiFunction<W, PageShard, PageReader, IOException> maker) {

        public static List<AggregationSpec> specs() {
            return Stream.of(
                            FingerprintPages.ColumnsReader.KIND,
                            GroupCounts.GroupsReader.KIND,
                            IdScan.IdsReader.KIND,
                            PairScan.PairsReader.KIND,
                            SharedTerms.KIND,
                            SourceScan.SourcesReader.KIND)
                    .map(PageKind::spec)
                    .toList();
        }

        public AggregationSpec spec() {
            ContextParser<String, PageAggregationBuilder<W>> refusing = (parser, any) -> {
                throw JobQuery.refusal(name, parser);
            };
            return new AggregationSpec(name, in -> new PageAggregationBuilder<>(this, in), refusing)
                    .addResultReader(InternalPages::new);
        }

        public SearchSourceBuilder search(QueryBuilder documents, W wantedPage) {
            return new SearchSourceBuilder()
                    .query(documents)
                    .size(0)
                    .trackTotalHits(false)
                    .aggregation(new PageAggregationBuilder<>(this, wantedPage));
        }

        /** The pages that a search has found. A shard that cannot match sends none. */
        public List<RowPage> pages(SearchResponse found) {
            InternalPages pages = found.getAggregations().get(name);
            return pages.shards;
        }
    }

    private final PageKind<W> kind;
    private final W page;

    private PageAggregationBuilder(PageKind<W> kind, W page) {
        super(kind.name);
        this.kind = kind;
        this.page = page;
    }

    private PageAggregationBuilder(
            PageAggregationBuilder<W> clone, AggregatorFactories.Builder factories, Map<String, Object> metadata) {
        super(clone, factories, metadata);
        this.kind = clone.kind;
        this.page = clone.page;
    }

    private PageAggregationBuilder(PageKind<W> kind, StreamInput in) throws IOException {
        super(in);
        this.kind = kind;
        this.page = kind.wanted.read(MessageForm.read(in));
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
        MessageForm.write(out);
        page.writeTo(out);
    }

    @Override
    protected AggregatorFactory doBuild(
            QueryShardContext context, AggregatorFactory parent, AggregatorFactories.Builder subFactories)
            throws IOException {
        return new AggregatorFactory(name, context, parent, subFactories, metadata) {
            @Override
            protected Aggregator createInternal(
                    SearchContext search, Aggregator outer, CardinalityUpperBound cardinality, Map<String, Object> meta)
                    throws IOException {
                return new PageAggregator<>(kind, page, search, outer, meta);
            }
        };
    }

    @Override
    protected AggregationBuilder shallowCopy(AggregatorFactories.Builder factories, Map<String, Object> meta) {
        return new PageAggregationBuilder<>(this, factories, meta);
    }

    @Override
    protected XContentBuilder internalXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject().endObject();
    }

    @Override
    public BucketCardinality bucketCardinality() {
        return BucketCardinality.NONE;
    }

    @Override
    public String getType() {
        return kind.name;
    }

    /** Makes one page of what it reads in a shard. One thread. */
    private static final class PageAggregator<W extends Writeable> extends MetricsAggregator {

        private final PageShard shard;
        private final PageReader reader;

        PageAggregator(PageKind<W> kind, W page, SearchContext search, Aggregator parent, Map<String, Object> metadata)
                throws IOException {
            super(kind.name, search, parent, metadata);
            LongConsumer memory = this::addRequestCircuitBreakerBytes;
            this.shard = new PageShard(
                    search.getQueryShardContext(),
                    search.searcher().getIndexReader(),
                    search.indexShard().shardId(),
                    new Rows(memory),
                    memory);
            this.reader = kind.maker.apply(page, shard);
        }

        @Override
        public LeafBucketCollector getLeafCollector(LeafReaderContext leaf, LeafBucketCollector sub)
                throws IOException {
            PageReader.Documents documents = reader.open(leaf);
            return new LeafBucketCollector() {
                @Override
                public void collect(int doc, long bucket) throws IOException {
                    documents.take(doc);
                }
            };
        }

        @Override
        public ScoreMode scoreMode() {
            return ScoreMode.COMPLETE_NO_SCORES;
        }

        @Override
        public InternalAggregation buildAggregation(long bucket) throws IOException {
            return new InternalPages(name, List.of(shard.rows.page(shard.id, reader::end)), metadata());
        }

        @Override
        public InternalAggregation buildEmptyAggregation() {
            return new InternalPages(name, List.of(), metadata());
        }
    }

    private static final class InternalPages extends InternalAggregation {

        private final List<RowPage> shards;

        InternalPages(String name, List<RowPage> shards, Map<String, Object> metadata) {
            super(name, metadata);
            this.shards = shards;
        }

        InternalPages(StreamInput in) throws IOException {
            super(in);
            this.shards = MessageForm.read(in).readList(RowPage::new);
        }

        @Override
        protected void doWriteTo(StreamOutput out) throws IOException {
            MessageForm.write(out);
            out.writeList(shards);
        }

        @Override
        public InternalAggregation reduce(List<InternalAggregation> aggregations, ReduceContext context) {
            List<RowPage> all = new ArrayList<>();
            aggregations.forEach(aggregation -> all.addAll(((InternalPages) aggregation).shards));
            return new InternalPages(name, all, getMetadata());
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
            throw new IllegalArgumentException("[" + name + "] has no properties, got: " + path);
        }

        @Override
        public XContentBuilder doXContentBody(XContentBuilder builder, Params params) throws IOException {
            for (RowPage page : shards) {
                builder.field(page.shard().toString(), page.size());
            }
            return builder;
        }

        @Override
        public String getWriteableName() {
            return name;
        }
    }

    /** The page of one shard. Its rows were written as they were found. */
    public record RowPage(ShardId shard, int size, BytesReference bytes) implements Writeable {

        RowPage(StreamInput in) throws IOException {
            this(new ShardId(in), in.readVInt(), in.readBytesReference());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            shard.writeTo(out);
            out.writeVInt(size);
            out.writeBytesReference(bytes);
        }

        <T> T read(Writeable.Reader<T> reader) {
            try {
                return reader.read(bytes.streamInput());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Reads each row of a page that has nothing before them. */
        public void forEach(CheckedConsumer<StreamInput, IOException> row) {
            read(in -> {
                for (int i = 0; i < size; i++) {
                    row.accept(in);
                }
                return size;
            });
        }
    }

    /** Collects the rows of a page, accounted for at least 16 kB at a time. Not thread-safe. */
    public static final class Rows {

        private static final int STEP = 1 << 14;

        private final BytesStreamOutput bytes = new BytesStreamOutput();
        private final LongConsumer memory;
        private long accounted;
        private int size;

        Rows(LongConsumer memory) {
            this.memory = memory;
        }

        public StreamOutput next() {
            size++;
            account();
            return bytes;
        }

        private void account() {
            if (bytes.size() >= accounted) {
                long more = bytes.size() - accounted + STEP;
                accounted += more;
                memory.accept(more);
            }
        }

        int size() {
            return size;
        }

        /** @param head writes what stands before the rows; may add rows */
        RowPage page(ShardId shard, CheckedConsumer<StreamOutput, IOException> head) throws IOException {
            BytesStreamOutput before = new BytesStreamOutput();
            head.accept(before);
            account();
            return new RowPage(shard, size, CompositeBytesReference.of(before.bytes(), bytes.bytes()));
        }
    }
}
