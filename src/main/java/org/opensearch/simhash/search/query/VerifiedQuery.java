/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.opensearch.index.fieldvisitor.CustomFieldsVisitor;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.match.Cancellation;
import org.opensearch.simhash.search.match.ComparedScorer;

/**
 * Keeps the matches of a {@code simhash} query whose text is similar enough. The similarity is the score. Reads a text once,
 * after all other clauses. Immutable.
 */
final class VerifiedQuery extends Query {

    private final Query near;
    private final TextVerifier verifier;
    private final MappedFieldType stored;
    /** Counts comparisons. Not part of equality. */
    private final LongAdder texts;

    /**
     * @param near documents within the distance
     * @param stored the text's field if the mapping stores it, else null
     */
    VerifiedQuery(Query near, TextVerifier verifier, MappedFieldType stored, LongAdder texts) {
        this.near = near;
        this.verifier = verifier;
        this.stored = stored;
        this.texts = texts;
    }

    Query near() {
        return near;
    }

    /** Compares documents of a leaf, near or not. */
    CandidateDocuments documents(LeafReaderContext leaf, Runnable checkWanted) {
        return new CandidateDocuments(leaf, verifier, stored, checkWanted);
    }

    @Override
    public Query rewrite(IndexSearcher searcher) throws IOException {
        Query rewritten = near.rewrite(searcher);
        if (rewritten instanceof MatchNoDocsQuery) {
            return rewritten;
        }
        return rewritten.equals(near) ? super.rewrite(searcher) : new VerifiedQuery(rewritten, verifier, stored, texts);
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) throws IOException {
        // By the searcher, so that a profile shows the queries below this one.
        Weight matching = searcher.createWeight(near, ScoreMode.COMPLETE_NO_SCORES, 1);
        return new VerifiedWeight(searcher, matching, boost);
    }

    /** Does not visit the parts, so that Lucene counts one clause. */
    @Override
    public void visit(QueryVisitor visitor) {
        visitor.visitLeaf(this);
    }

    @Override
    public boolean equals(Object other) {
        return sameClassAs(other)
                && other instanceof VerifiedQuery query
                && near.equals(query.near)
                && verifier.equals(query.verifier)
                && Objects.equals(stored, query.stored);
    }

    @Override
    public int hashCode() {
        return Objects.hash(classHash(), near, verifier);
    }

    @Override
    public String toString(String field) {
        return near.toString(field) + " verified by " + verifier;
    }

    private final class VerifiedWeight extends Weight {

        private final IndexSearcher searcher;
        private final Weight matching;
        private final float boost;

        VerifiedWeight(IndexSearcher searcher, Weight matching, float boost) {
            super(VerifiedQuery.this);
            this.searcher = searcher;
            this.matching = matching;
            this.boost = boost;
        }

        @Override
        public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
            ScorerSupplier supplier = matching.scorerSupplier(leaf);
            if (supplier == null) {
                return null;
            }
            return new ScorerSupplier() {
                @Override
                public Scorer get(long leadCost) throws IOException {
                    CandidateDocuments documents = documents(leaf, () -> {});
                    return new ComparedScorer(supplier.get(leadCost), boost, ComparedScorer.TEXT_COST, (doc, least) -> {
                        texts.increment();
                        Verdict verdict = documents.verify(doc);
                        return verdict.isSimilar() ? (float) (boost * verdict.similarity()) : ComparedScorer.NO_MATCH;
                    });
                }

                @Override
                public long cost() {
                    return supplier.cost();
                }
            };
        }

        @Override
        public Explanation explain(LeafReaderContext leaf, int doc) throws IOException {
            Explanation distance =
                    near.createWeight(searcher, ScoreMode.COMPLETE, 1).explain(leaf, doc);
            if (distance.isMatch() == false) {
                return distance;
            }
            Verdict verdict = documents(leaf, () -> {}).verify(doc);
            String reason = verdict.reason();
            if (verdict.outcome() == Verdict.Outcome.BELOW_MINIMUM) {
                return Explanation.noMatch(reason + " " + explainSimilarity(leaf, doc) + ", by " + verifier, distance);
            }
            if (verdict.isSimilar() == false) {
                return Explanation.noMatch(reason + ", by " + verifier, distance);
            }
            String rule = reason + ", similarity " + verdict.similarity() + " by " + verifier;
            return Explanation.match((float) (boost * verdict.similarity()), rule, distance);
        }

        /** A search only needs to know that the similarity is too low. */
        private String explainSimilarity(LeafReaderContext leaf, int doc) throws IOException {
            Verdict exact = new CandidateDocuments(leaf, verifier.exact(), stored, () -> {}).verify(doc);
            String rule = "[" + verifier.minSimilarity() + "]";
            return exact.isSimilar()
                    ? rule + ", similarity " + exact.similarity()
                    : rule + ", similarity " + exact.reason();
        }

        /** A verdict depends on a pipeline outside of the index. A cache would also read the texts of all near documents. */
        @Override
        public boolean isCacheable(LeafReaderContext leaf) {
            return false;
        }
    }

    /** Verifies texts of documents in one Lucene leaf: from {@code _source}, else from a stored field. One thread. */
    static final class CandidateDocuments {

        private final LeafReaderContext leaf;
        private final TextVerifier verifier;
        private final MappedFieldType stored;
        private final Runnable check;
        private final SourceLookup source = new SourceLookup();

        /** @param stored the text's field if the mapping stores it, else null */
        CandidateDocuments(
                LeafReaderContext leaf, TextVerifier verifier, MappedFieldType stored, Runnable checkWanted) {
            this.leaf = leaf;
            this.verifier = verifier;
            this.stored = stored;
            Cancellation cancellation = new Cancellation(leaf.reader());
            this.check = () -> cancellation.check(checkWanted);
        }

        /** Throws if the search is cancelled. */
        Verdict verify(int doc) throws IOException {
            check.run();
            source.setSegmentAndDocument(leaf, doc);
            Map<String, Object> document = source.loadSourceIfNeeded();
            String text = verifier.textOf(document);
            if (text == null && stored != null) {
                text = storedText(doc);
            }
            return verifier.verify(text, document, check);
        }

        private String storedText(int doc) throws IOException {
            CustomFieldsVisitor read = new CustomFieldsVisitor(Set.of(stored.name()), false);
            leaf.reader().storedFields().document(doc, read);
            // Some types store other values than people write, such as bytes.
            List<Object> values = read.fields().getOrDefault(stored.name(), List.of()).stream()
                    .map(stored::valueForDisplay)
                    .toList();
            return DocumentTexts.storedText(stored.name(), Map.of(stored.name(), values));
        }
    }
}
