/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

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
 * What several queries find that one {@code simhash} clause became: one for each of its fingerprints, or for each recipe by
 * which texts are verified. A disjunction of which the best counts, and nothing else; but whoever looks for the clauses of a
 * search sees one. Immutable.
 */
final class OneClauseQuery extends Query {

    /** What a query opens of a Lucene leaf, and plans there, before the first document is scored. */
    private static final long BYTES_PER_LEAF = 10_240;

    private final DisjunctionMaxQuery best;
    private final LongPredicate memory;
    /** Whether the memory is taken: who explains hits makes a weight for each, and lets go of it. */
    private final AtomicBoolean isTaken;

    private final AtomicLong keptOfLeaf = new AtomicLong();

    private OneClauseQuery(DisjunctionMaxQuery best, LongPredicate memory, AtomicBoolean isTaken) {
        this.best = best;
        this.memory = memory;
        this.isTaken = isTaken;
    }

    /**
     * A single query stays as it is.
     *
     * @param memory takes the bytes that a search is going to take, or refuses them, or says that there is no search yet
     */
    static Query of(List<? extends Query> parts, LongPredicate memory) {
        return parts.size() == 1
                ? parts.getFirst()
                : new OneClauseQuery(new DisjunctionMaxQuery(parts, 0), memory, new AtomicBoolean());
    }

    Collection<Query> parts() {
        return best.getDisjuncts();
    }

    /** What is kept of one Lucene leaf after the other while hits are fetched: the most of it stays taken until the search is over. */
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

    /** Each thread that shares the search has all parts open, of one leaf after the other. */
    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) throws IOException {
        if (isTaken.get() == false) {
            long threads = Math.max(1, searcher.getSlices().length);
            isTaken.set(memory.test(threads * parts().size() * BYTES_PER_LEAF));
        }
        return searcher.createWeight(best, scoreMode, boost);
    }

    /** Without the parts, which nobody asks for: Lucene would count them, and refuse a document of a thousand fingerprints. */
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
