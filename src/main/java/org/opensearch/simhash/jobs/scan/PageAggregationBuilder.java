/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.search.ScoreMode;
import org.opensearch.action.search.SearchResponse;
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
import org.opensearch.search.aggregations.metrics.MetricsAggregator;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.jobs.scan.FingerprintPages.ColumnsAggregator;
import org.opensearch.simhash.jobs.scan.GroupCounts.GroupsAggregator;
import org.opensearch.simhash.jobs.scan.IdScan.IdsAggregator;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.WantedPage;
import org.opensearch.simhash.jobs.scan.PairScan.PairsAggregator;
import org.opensearch.simhash.jobs.scan.SourceScan.SourcesAggregator;
import org.opensearch.simhash.search.message.MessageForm;

/** An aggregation that reads a page from each shard. Only jobs and helpers send it; users cannot ({@link JobQuery}). */
public final class PageAggregationBuilder<W extends WantedPage>
        extends AbstractAggregationBuilder<PageAggregationBuilder<W>> {

    /** What to read. */
    interface WantedPage extends Writeable {

        /** Most rows per shard. */
        int limit();
    }

    /**
     * A kind of pages.
     *
     * @param name of the aggregation
     * @param wanted reads what to read
     * @param page reads what a shard sends
     * @param maker makes what collects a page
     */
    public record PageKind<W extends WantedPage, P extends ShardPage>(
            String name, Writeable.Reader<W> wanted, Writeable.Reader<P> page, Maker<W> maker) {

        interface Maker<W> {
            Aggregator make(W page, SearchContext search, Aggregator outer, Map<String, Object> meta)
                    throws IOException;
        }

        /** All that nodes send each other. */
        public static List<AggregationSpec> specs() {
            return Stream.of(
                            BlockTerms.KIND,
                            ColumnsAggregator.KIND,
                            GroupsAggregator.KIND,
                            IdsAggregator.KIND,
                            PairsAggregator.KIND,
                            SharedTerms.KIND,
                            SourcesAggregator.KIND)
                    .map(PageKind::spec)
                    .toList();
        }

        private AggregationSpec spec() {
            ContextParser<String, PageAggregationBuilder<W>> refusing = (parser, any) -> {
                throw JobQuery.refusal(name, parser);
            };
            return new AggregationSpec(name, in -> new PageAggregationBuilder<>(this, in), refusing)
                    .addResultReader(in -> new InternalPages<>(in, name, page));
        }

        /** A search for a page from each shard with such documents. */
        SearchSourceBuilder search(QueryBuilder documents, W wantedPage) {
            return new SearchSourceBuilder()
                    .query(documents)
                    .size(0)
                    .trackTotalHits(false)
                    .aggregation(new PageAggregationBuilder<>(this, wantedPage));
        }

        /** The pages that a search has found. A shard that cannot match sends none. */
        List<P> pages(SearchResponse found) {
            InternalPages<P> pages = found.getAggregations().get(name);
            return pages.shards;
        }
    }

    private final PageKind<W, ?> kind;
    private final W page;

    private PageAggregationBuilder(PageKind<W, ?> kind, W page) {
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

    private PageAggregationBuilder(PageKind<W, ?> kind, StreamInput in) throws IOException {
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
                return kind.maker.make(page, search, outer, meta);
            }
        };
    }

    @Override
    protected AggregationBuilder shallowCopy(AggregatorFactories.Builder factories, Map<String, Object> meta) {
        return new PageAggregationBuilder<>(this, factories, meta);
    }

    @Override
    protected XContentBuilder internalXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject().field("limit", page.limit()).endObject();
    }

    @Override
    public BucketCardinality bucketCardinality() {
        return BucketCardinality.NONE;
    }

    @Override
    public String getType() {
        return kind.name;
    }

    /** Makes one page of what it collects in a shard. One thread. */
    abstract static class PageAggregator<P extends ShardPage> extends MetricsAggregator {

        final ShardId shard;

        /** @param type of the page, which is the name of the aggregation, too */
        PageAggregator(String type, SearchContext context, Aggregator parent, Map<String, Object> metadata)
                throws IOException {
            super(type, context, parent, metadata);
            this.shard = context.indexShard().shardId();
        }

        /** After all leaves. */
        abstract P build() throws IOException;

        @Override
        public final ScoreMode scoreMode() {
            return ScoreMode.COMPLETE_NO_SCORES;
        }

        @Override
        public final InternalAggregation buildAggregation(long bucket) throws IOException {
            return new InternalPages<>(name, name, List.of(build()), metadata());
        }

        @Override
        public final InternalAggregation buildEmptyAggregation() {
            return new InternalPages<P>(name, name, List.of(), metadata());
        }
    }

    /** The pages of all shards. */
    private static final class InternalPages<P extends ShardPage> extends InternalAggregation {

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
            this.shards = MessageForm.read(in).readList(page);
        }

        @Override
        protected void doWriteTo(StreamOutput out) throws IOException {
            MessageForm.write(out);
            out.writeList(shards);
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
    }

    /** The page of one shard. */
    interface ShardPage extends Writeable {

        ShardId shard();

        /** Number of rows. */
        int size();
    }
}
