/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;

/** What one would write without this plugin: a two-phase iterator that compares the doc value of every document. */
final class PlainScanQuery extends Query {

    private final String field;
    private final long target;
    private final int maxDistance;

    PlainScanQuery(String field, long target, int maxDistance) {
        this.field = field;
        this.target = target;
        this.maxDistance = maxDistance;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
        return new Weight(this) {
            @Override
            public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
                NumericDocValues values = DocValues.unwrapSingleton(DocValues.getSortedNumeric(context.reader(), field));
                return new DefaultScorerSupplier(new PlainScorer(values, boost));
            }

            @Override
            public Explanation explain(LeafReaderContext context, int doc) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean isCacheable(LeafReaderContext context) {
                return true;
            }
        };
    }

    private final class PlainScorer extends Scorer {

        private final NumericDocValues values;
        private final float boost;
        private final TwoPhaseIterator twoPhase;
        private int distance;

        PlainScorer(NumericDocValues values, float boost) {
            this.values = values;
            this.boost = boost;
            this.twoPhase = new TwoPhaseIterator(values) {
                @Override
                public boolean matches() throws IOException {
                    distance = Long.bitCount(values.longValue() ^ target);
                    return distance <= maxDistance;
                }

                @Override
                public float matchCost() {
                    return 5;
                }
            };
        }

        @Override
        public int docID() {
            return values.docID();
        }

        @Override
        public DocIdSetIterator iterator() {
            return TwoPhaseIterator.asDocIdSetIterator(twoPhase);
        }

        @Override
        public TwoPhaseIterator twoPhaseIterator() {
            return twoPhase;
        }

        @Override
        public float score() {
            return boost * (1 - distance / 64f);
        }

        @Override
        public float getMaxScore(int upTo) {
            return boost;
        }
    }

    @Override
    public void visit(QueryVisitor visitor) {
        visitor.visitLeaf(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PlainScanQuery query
                && field.equals(query.field)
                && target == query.target
                && maxDistance == query.maxDistance;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(target) * 31 + maxDistance;
    }

    @Override
    public String toString(String field) {
        return "scan";
    }
}
