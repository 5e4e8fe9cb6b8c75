/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.opensearch.common.document.DocumentField;
import org.opensearch.common.lucene.search.function.FunctionScoreQuery;
import org.opensearch.common.lucene.search.function.FunctionScoreQuery.FilterScoreFunction;
import org.opensearch.common.lucene.search.function.ScoreFunction;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.simhash.search.match.PrintQuery;
import org.opensearch.simhash.search.query.LeafEvidence.Evidence;

/**
 * Adds to each hit, if the request asks, how near it is: {@code fields._simhash} with one entry per matching
 * {@code simhash} or {@code minhash} clause, in order. An entry has the distance and, with verification, the similarity
 * or the reason why there is none. Opens a Lucene leaf once for all its hits. Costs a look-up of the fingerprint and a
 * comparison of texts per hit. Ends with the search; an entry says if the time was up.
 *
 * @param watch must be registered as a listener of all shards
 */
public record EvidencePhase(FetchWatch watch) implements FetchSubPhase {

    static final String FIELD = "_simhash";

    @Override
    public FetchSubPhaseProcessor getProcessor(FetchContext context) {
        if (SimHashExt.isEvidenceWanted(context.getSearchExt(SimHashExt.NAME)) == false) {
            return null;
        }
        Clauses clauses = new Clauses();
        if (context.parsedQuery() != null) { // null for a search that only asks for suggestions
            // Without the filters of aliases: the user may not be allowed to see them.
            context.parsedQuery().query().visit(clauses);
        }
        if (context.parsedPostFilter() != null) {
            context.parsedPostFilter().query().visit(clauses);
        }
        for (RescoreContext rescore : context.rescore()) {
            rescore.getParsedQueries().forEach(query -> query.query().visit(clauses));
        }
        return clauses.found.isEmpty() ? null : new Processor(clauses.found, watch.of(context.getQueryShardContext()));
    }

    /** The {@code simhash} and {@code minhash} clauses of a query in order, without those that exclude documents. */
    private static final class Clauses extends QueryVisitor {

        private final List<Query> found = new ArrayList<>();

        @Override
        public QueryVisitor getSubVisitor(Occur occur, Query parent) {
            if (occur == Occur.MUST_NOT || isClause(parent)) {
                return EMPTY_VISITOR;
            }
            // Both queries visit their clauses by hash code.
            if (parent instanceof BooleanQuery several) {
                several.clauses().stream()
                        .filter(clause -> clause.isProhibited() == false)
                        .forEach(clause -> clause.query().visit(this));
                return EMPTY_VISITOR;
            }
            if (parent instanceof DisjunctionMaxQuery several) {
                several.getDisjuncts().forEach(clause -> clause.visit(this));
                return EMPTY_VISITOR;
            }
            // A function score query does not visit the filters of its functions.
            if (parent instanceof FunctionScoreQuery scored) {
                scored.getSubQuery().visit(this);
                for (ScoreFunction function : scored.getFunctions()) {
                    if (function instanceof FilterScoreFunction filtered) {
                        filtered.filter.visit(this);
                    }
                }
                return EMPTY_VISITOR;
            }
            return this;
        }

        @Override
        public void visitLeaf(Query query) {
            if (isClause(query)) {
                found.add(query);
            }
        }

        private static boolean isClause(Query query) {
            return query instanceof PrintQuery<?> || query instanceof VerifiedQuery || query instanceof OneClauseQuery;
        }
    }

    private static final class Processor implements FetchSubPhaseProcessor {

        private final List<Query> clauses;
        private final Runnable checkWanted;
        private LeafReaderContext leaf;
        private final List<LeafEvidence> opened = new ArrayList<>();

        Processor(List<Query> clauses, Runnable checkWanted) {
            this.clauses = clauses;
            this.checkWanted = checkWanted;
        }

        @Override
        public void setNextReader(LeafReaderContext next) {
            leaf = next;
            opened.clear();
        }

        @Override
        public void process(HitContext hit) throws IOException {
            List<Object> entries = new ArrayList<>();
            for (int i = 0; i < clauses.size(); i++) {
                evidence(i, hit.docId()).ifPresent(evidence -> entries.add(evidence.entry()));
            }
            if (entries.isEmpty() == false) {
                hit.hit().setDocumentField(FIELD, new DocumentField(FIELD, entries));
            }
        }

        private Optional<Evidence> evidence(int clause, int doc) throws IOException {
            try {
                checkWanted.run();
                if (opened.size() == clause) {
                    opened.add(new LeafEvidence(clauses.get(clause), leaf, checkWanted));
                }
                return opened.get(clause).of(doc);
            } catch (FetchWatch.TimeIsUpException e) {
                return Optional.of(Evidence.unknown(e.getMessage()));
            }
        }
    }
}
