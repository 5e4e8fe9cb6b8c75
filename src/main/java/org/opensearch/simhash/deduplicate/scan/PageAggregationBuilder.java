/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ContextParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.AggregationSpec;
import org.opensearch.search.aggregations.AbstractAggregationBuilder;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.AggregatorFactory;
import org.opensearch.search.aggregations.CardinalityUpperBound;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.simhash.deduplicate.scan.InternalPages.ShardPage;

/** An aggregation that reads a page from each shard. Only jobs send it; users cannot ({@link JobQuery}). */
public final class PageAggregationBuilder extends AbstractAggregationBuilder<PageAggregationBuilder> {

    /** What to read. A type has one class of it, and one of pages. */
    interface WantedPage extends Writeable {

        String type();

        /** Most rows per shard. */
        int limit();

        Aggregator aggregator(SearchContext search, Aggregator outer, Map<String, Object> meta) throws IOException;
    }

    private final WantedPage page;

    PageAggregationBuilder(WantedPage page) {
        super(page.type());
        this.page = page;
    }

    private PageAggregationBuilder(
            PageAggregationBuilder clone, AggregatorFactories.Builder factories, Map<String, Object> metadata) {
        super(clone, factories, metadata);
        this.page = clone.page;
    }

    private PageAggregationBuilder(StreamInput in, Writeable.Reader<? extends WantedPage> reader) throws IOException {
        super(in);
        this.page = reader.read(in);
    }

    public static List<AggregationSpec> specs() {
        return List.of(
                spec(ColumnsAggregator.NAME, ColumnsAggregator.Page::new, ShardColumns::new),
                spec(GroupsAggregator.NAME, GroupsAggregator.Page::new, GroupsAggregator.ShardGroups::new),
                spec(IdsAggregator.NAME, IdsAggregator.Page::new, ShardIds::new),
                spec(PairsAggregator.NAME, PairsAggregator.Page::new, PairsAggregator.ShardPairs::new));
    }

    private static <P extends ShardPage> AggregationSpec spec(
            String type, Writeable.Reader<? extends WantedPage> wanted, Writeable.Reader<P> page) {
        ContextParser<String, PageAggregationBuilder> refusing = (parser, name) -> {
            throw JobQuery.refusal(type, parser);
        };
        return new AggregationSpec(type, in -> new PageAggregationBuilder(in, wanted), refusing)
                .addResultReader(in -> new InternalPages<>(in, type, page));
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
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
                return page.aggregator(search, outer, meta);
            }
        };
    }

    @Override
    protected AggregationBuilder shallowCopy(AggregatorFactories.Builder factories, Map<String, Object> meta) {
        return new PageAggregationBuilder(this, factories, meta);
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
        return page.type();
    }
}
