/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.ScoreMode;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.metrics.MetricsAggregator;
import org.opensearch.search.internal.SearchContext;

/** Makes one page of what it collects in a shard. One thread. */
abstract class PageAggregator<P extends InternalPages.ShardPage> extends MetricsAggregator {

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
