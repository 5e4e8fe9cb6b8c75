/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Optional;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.deciders.ConcurrentSearchDecision;
import org.opensearch.search.deciders.ConcurrentSearchDecision.DecisionStatus;
import org.opensearch.search.deciders.ConcurrentSearchRequestDecider;

/**
 * Lets threads share the leaves of a search with a long {@code simhash} query anywhere in it. OpenSearch shares parts of a
 * leaf only if the search is one query of one fingerprint. For one search of a shard, one thread.
 */
final class LongSearchDecider extends ConcurrentSearchRequestDecider {

    private static final ConcurrentSearchDecision SHARED_OUT =
            new ConcurrentSearchDecision(DecisionStatus.YES, "a simhash query takes long");

    private boolean isLong;

    @Override
    public void evaluateForQuery(QueryBuilder query, IndexSettings index) {
        isLong |= query instanceof PrintQueryBuilder simHash && simHash.isLong();
    }

    /** Null, no opinion, if there is no such query. */
    @Override
    public ConcurrentSearchDecision getConcurrentSearchDecision() {
        return isLong ? SHARED_OUT : null;
    }

    /** Looks through every search of the node, about a nanosecond for each clause. */
    static final class Factory implements ConcurrentSearchRequestDecider.Factory {

        @Override
        public Optional<ConcurrentSearchRequestDecider> create(IndexSettings index) {
            return Optional.of(new LongSearchDecider());
        }
    }
}
