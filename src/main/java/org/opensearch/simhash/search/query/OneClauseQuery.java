/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;

/**
 * The queries that one {@code simhash} clause becomes: one per fingerprint, or one per recipe that verifies texts. Behaves like a
 * disjunction whose best clause gives the score, but a visitor sees it as one clause. Immutable.
 */
final class OneClauseQuery extends Query {

    /** For what a query opens and plans in a leaf before the first score. */
    private static final long BYTES_PER_LEAF = 10_240;

    private final DisjunctionMaxQuery best;
    private final LongPredicate memory;
    /** An explanation makes a weight per hit and must not take the memory again. */
    private final AtomicBoolean isTaken;

    private final AtomicLong keptOfLeaf = new AtomicLong();

    /** @param memory takes the bytes until the search is over; throws to refuse them; returns false if no search is open */
    OneClauseQuery(List<? extends Query> parts, LongPredicate memory) {
        this(new DisjunctionMaxQuery(parts, 0), memory, new AtomicBoolean());
    }

    private OneClauseQuery(DisjunctionMaxQuery best, LongPredicate memory, AtomicBoolean isTaken) {
        this.best = best;
        this.memory = memory;
        this.isTaken = isTaken;
    }

    Collection<Query> parts() {
        return best.getDisjuncts();
    }

    /** Evidence keeps this, for one Lucene leaf at a time. The largest amount stays taken until the search is over. */
    void keepsOfLeaf(long bytes) {
        keptOfLeaf.updateAndGet(before -> bytes > before && memory.test(bytes - before) ? bytes : before);
    }

    @Override
    public Query rewrite(IndexSearcher searcher) throws IOException {
        Query rewritten = best.rewrite(searcher);
        if (rewritten.equals(best)) {
            return super.rewrite(searcher);
        }
        return rewritten instanceof DisjunctionMaxQuery parts ? new OneClauseQuery(parts, memory, isTaken) : rewritten;
    }

    /** Each thread of the search has all parts open, in one leaf at a time. */
    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) throws IOException {
        if (isTaken.get() == false) {
            long threads = Math.max(1, searcher.getSlices().length);
            isTaken.set(memory.test(threads * parts().size() * BYTES_PER_LEAF));
        }
        return searcher.createWeight(best, scoreMode, boost);
    }

    /** Does not visit the parts. Lucene would count them and refuse a document of a thousand fingerprints. */
    @Override
    public void visit(QueryVisitor visitor) {
        visitor.visitLeaf(this);
    }

    @Override
    public boolean equals(Object other) {
        return sameClassAs(other) && other instanceof OneClauseQuery query && best.equals(query.best);
    }

    @Override
    public int hashCode() {
        return 31 * classHash() + best.hashCode();
    }

    @Override
    public String toString(String field) {
        return best.toString(field);
    }
}
