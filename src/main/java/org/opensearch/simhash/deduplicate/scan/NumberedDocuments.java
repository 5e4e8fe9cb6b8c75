/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.Arrays;
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
import org.apache.lucene.util.DocIdSetBuilder;

/** Matches documents of one shard by their numbers in its reader. Never cached, because a new reader has other numbers. */
final class NumberedDocuments extends Query {

    interface Numbers {

        /** The documents of a leaf by their numbers there; null if there are none. */
        DocIdSetIterator of(LeafReaderContext leaf) throws IOException;
    }

    /** @param docs ascending */
    @SuppressWarnings("ArrayRecordComponent") // Made once for each search of a shard.
    record Listed(int[] docs) implements Numbers {

        @Override
        public DocIdSetIterator of(LeafReaderContext leaf) throws IOException {
            int from = position(leaf.docBase);
            int to = position(leaf.docBase + leaf.reader().maxDoc());
            if (from == to) {
                return null;
            }
            DocIdSetBuilder found = new DocIdSetBuilder(leaf.reader().maxDoc());
            DocIdSetBuilder.BulkAdder adder = found.grow(to - from);
            for (int i = from; i < to; i++) {
                adder.add(docs[i] - leaf.docBase);
            }
            return found.build().iterator();
        }

        /** Position of the first number that is not below {@code doc}. */
        private int position(int doc) {
            int found = Arrays.binarySearch(docs, doc);
            return found < 0 ? ~found : found;
        }
    }

    record After(long doc) implements Numbers {

        @Override
        public DocIdSetIterator of(LeafReaderContext leaf) {
            int maxDoc = leaf.reader().maxDoc();
            long first = Math.max(0L, doc + 1 - leaf.docBase);
            return first < maxDoc ? DocIdSetIterator.range((int) first, maxDoc) : null;
        }
    }

    private final Numbers numbers;

    NumberedDocuments(Numbers numbers) {
        this.numbers = numbers;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
        return new ConstantScoreWeight(this, boost) {
            @Override
            public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
                DocIdSetIterator documents = numbers.of(leaf);
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
    public void visit(QueryVisitor visitor) {
        visitor.visitLeaf(this);
    }

    @Override
    public boolean equals(Object other) {
        return sameClassAs(other) && numbers.equals(((NumberedDocuments) other).numbers);
    }

    @Override
    public int hashCode() {
        return 31 * classHash() + numbers.hashCode();
    }

    @Override
    public String toString(String field) {
        return numbers instanceof Listed listed ? listed.docs.length + " documents by number" : numbers.toString();
    }
}
