/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import org.opensearch.simhash.deduplicate.scan.InternalPages.ShardPage;
import java.io.IOException;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ContextParser;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.SearchPlugin.AggregationSpec;
import org.opensearch.search.aggregations.AbstractAggregationBuilder;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.AggregatorFactory;
import org.opensearch.search.aggregations.CardinalityUpperBound;
import org.opensearch.search.internal.SearchContext;

/** An aggregation that reads a page from each shard. Only jobs send it; users cannot ({@link SentByJobs}). */
abstract class PageAggregationBuilder<B extends PageAggregationBuilder<B>> extends AbstractAggregationBuilder<B> {

    PageAggregationBuilder(String name) {
        super(name);
    }

    PageAggregationBuilder(B clone, AggregatorFactories.Builder factories, Map<String, Object> metadata) {
        super(clone, factories, metadata);
    }

    PageAggregationBuilder(StreamInput in) throws IOException {
        super(in);
    }

    static <B extends PageAggregationBuilder<B>, P extends ShardPage> AggregationSpec spec(
            String type, Writeable.Reader<B> reader, Writeable.Reader<P> page) {
        ContextParser<String, B> refusing = (parser, name) -> {
            throw SentByJobs.refusal(type, parser);
        };
        return new AggregationSpec(type, reader, refusing).addResultReader(in -> new InternalPages<>(in, type, page));
    }

    abstract Aggregator aggregator(SearchContext search, Aggregator outer, Map<String, Object> meta) throws IOException;

    @Override
    protected final AggregatorFactory doBuild(
            QueryShardContext context, AggregatorFactory parent, AggregatorFactories.Builder subFactories)
            throws IOException {
        return new AggregatorFactory(name, context, parent, subFactories, metadata) {
            @Override
            protected Aggregator createInternal(
                    SearchContext search, Aggregator outer, CardinalityUpperBound cardinality, Map<String, Object> meta)
                    throws IOException {
                return aggregator(search, outer, meta);
            }
        };
    }

    @Override
    public final BucketCardinality bucketCardinality() {
        return BucketCardinality.NONE;
    }
}
