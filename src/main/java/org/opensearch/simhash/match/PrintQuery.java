/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;

/** A query for documents whose print is near that of a target, or that have its digest. Immutable. */
public abstract sealed class PrintQuery extends Query permits SimHashQuery, MinHashQuery {

    private final PlanListener listener;

    /** @param listener not part of the query's identity */
    PrintQuery(PlanListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    public abstract Print target();

    public final PlanListener listener() {
        return listener;
    }

    /** The field with the fingerprint or the sketch itself. */
    abstract String printField();

    abstract String digestField();

    @Override
    public final Query rewrite(IndexSearcher searcher) throws IOException {
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            FieldInfos infos = leaf.reader().getFieldInfos();
            if ((target().isWhole() && infos.fieldInfo(printField()) != null)
                    || (target().digest() != null && infos.fieldInfo(digestField()) != null)) {
                return super.rewrite(searcher);
            }
        }
        return new MatchNoDocsQuery("no document has a print in [" + printField() + "]");
    }

    @Override
    public final void visit(QueryVisitor visitor) {
        if (visitor.acceptField(printField())) {
            visitor.visitLeaf(this);
        }
    }

    /** What {@link #toString} shows of the digest and the scheme. */
    final String printed() {
        return (target().digest() == null ? "" : " digest " + target().digest())
                + (target().scheme() == null ? "" : " scheme " + target().scheme());
    }
}
