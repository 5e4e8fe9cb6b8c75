/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.deciders.ConcurrentSearchDecision;
import org.opensearch.search.deciders.ConcurrentSearchDecision.DecisionStatus;
import org.opensearch.search.deciders.ConcurrentSearchRequestDecider;

/**
 * Has threads share the Lucene leaves of a search with a long {@code simhash} query, wherever in it that is. To share parts of a
 * leaf, too, takes a query of one fingerprint that is nothing else. For one search of a shard, by one thread.
 */
final class LongSearchDecider extends ConcurrentSearchRequestDecider {

    private static final ConcurrentSearchDecision SHARED_OUT =
            new ConcurrentSearchDecision(DecisionStatus.YES, "a simhash query takes long");

    private boolean isLong;

    @Override
    public void evaluateForQuery(QueryBuilder query, IndexSettings index) {
        isLong |= query instanceof SimHashQueryBuilder simHash && simHash.isLong();
    }

    /** Null, which is no opinion, when there is no such query. */
    @Override
    public ConcurrentSearchDecision getConcurrentSearchDecision() {
        return isLong ? SHARED_OUT : null;
    }
}
