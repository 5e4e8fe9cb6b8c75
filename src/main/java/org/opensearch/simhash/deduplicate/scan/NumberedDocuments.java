/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorerSupplier;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.query.QueryShardContext;

/**
 * Matches documents of one shard by their numbers in its reader. Never cached, because a new reader has other numbers.
 */
abstract class NumberedDocuments extends Query {

    /** The documents of a leaf by their numbers there; null if there are none. */
    abstract DocIdSetIterator of(LeafReaderContext leaf) throws IOException;

    /** The shard of a context. */
    static ShardId shard(QueryShardContext context) {
        return new ShardId(context.index(), context.getShardId());
    }

    @Override
    public final Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
        return new ConstantScoreWeight(this, boost) {
            @Override
            public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
                DocIdSetIterator documents = of(leaf);
                return documents == null
                        ? null
                        : ConstantScoreScorerSupplier.fromIterator(
                                documents, score(), scoreMode, leaf.reader().maxDoc());
            }

            @Override
            public boolean isCacheable(LeafReaderContext leaf) {
                return false;
            }
        };
    }

    @Override
    public final void visit(QueryVisitor visitor) {
        visitor.visitLeaf(this);
    }
}
