/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;

/** A query for documents whose print is near that of a target, or that have its digest. Immutable. */
public abstract sealed class PrintQuery<T extends Print> extends Query
        permits SimHashQuery, MinHashQuery, PassagesQuery {

    final IndexedFields fields;
    final T target;
    private final Listener listener;

    /** @param listener not part of the query's identity */
    PrintQuery(IndexedFields fields, T target, Listener listener) {
        this.fields = Objects.requireNonNull(fields, "fields");
        this.target = Objects.requireNonNull(target, "target");
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    public final IndexedFields fields() {
        return fields;
    }

    public final T target() {
        return target;
    }

    public final Listener listener() {
        return listener;
    }

    /** What equal queries have in common, beside their fields and targets. */
    abstract List<?> rule();

    @Override
    public final boolean equals(Object other) {
        return sameClassAs(other)
                && other instanceof PrintQuery<?> query
                && fields.equals(query.fields)
                && target.equals(query.target)
                && rule().equals(query.rule());
    }

    @Override
    public final int hashCode() {
        return Objects.hash(classHash(), fields, target, rule());
    }

    @Override
    public final Query rewrite(IndexSearcher searcher) throws IOException {
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            FieldInfos infos = leaf.reader().getFieldInfos();
            if ((target.isWhole() && infos.fieldInfo(fields.bits()) != null)
                    || (target.digest() != null && infos.fieldInfo(fields.digest()) != null)) {
                return super.rewrite(searcher);
            }
        }
        return new MatchNoDocsQuery("no document has a print in [" + fields.bits() + "]");
    }

    @Override
    public final void visit(QueryVisitor visitor) {
        if (visitor.acceptField(fields.bits())) {
            visitor.visitLeaf(this);
        }
    }

    /** What {@link #toString} shows of the digest and the scheme. */
    final String printed() {
        return (target.digest() == null ? "" : " digest " + target.digest())
                + (target.scheme() == null ? "" : " scheme " + target.scheme());
    }

    /** Adds to the details whether a document has the scheme that is compared, and returns it. */
    final boolean explainScheme(LeafReaderContext leaf, int doc, List<Explanation> details) throws IOException {
        String scheme = target.scheme();
        if (scheme == null) {
            details.add(fact("scheme of the target unknown: compared with every scheme"));
            return true;
        }
        SchemeFilter filter = SchemeFilter.open(leaf.reader(), fields.scheme(), scheme);
        boolean same = filter != null && filter.accepts(doc);
        details.add(fact((same ? "same scheme " : "not of the scheme ") + scheme));
        return same;
    }

    static Explanation fact(String text) {
        return Explanation.match(1, text);
    }

    /**
     * Observes how each leaf is searched; the source of statistics.
     *
     * <p>{@link #started} is called once per scorer by its thread, so several threads may call at once. There is no call
     * per document: read the counts of {@link LeafEffort} after the search.
     */
    @FunctionalInterface
    public interface Listener {

        /** A scorer starts; {@code effort} counts its work. */
        void started(LeafEffort effort);

        /**
         * The calling thread will hold this many bytes for its leaf, in place of its previous amount. May refuse with an
         * exception. Not called below some kilobytes.
         */
        default void keeps(long bytes) {}
    }
}
