/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.simhash.match.SimHashQuery;
import org.opensearch.simhash.verify.Verdict;

/**
 * Adds to each hit, when the request asks for it, how near it is: {@code fields._simhash}, one entry for each {@code simhash}
 * clause that it matches, with the distance and, where texts were verified, the similarity. Costs a look at one doc value per
 * hit, and the comparison of its text, which the hit carries anyway.
 */
public final class EvidencePhase implements FetchSubPhase {

    private static final String FIELD = "_simhash";

    @Override
    public FetchSubPhaseProcessor getProcessor(FetchContext context) {
        if ((context.getSearchExt(EvidenceRequest.NAME) instanceof EvidenceRequest request && request.evidence())
                == false) {
            return null;
        }
        Clauses clauses = new Clauses();
        context.query().visit(clauses);
        if (context.parsedPostFilter() != null) {
            context.parsedPostFilter().query().visit(clauses);
        }
        return clauses.isEmpty() ? null : new Processor(clauses);
    }

    /** The {@code simhash} clauses of a query, those that exclude documents left out. */
    private static final class Clauses extends QueryVisitor {

        private final List<SimHashQuery> plain = new ArrayList<>();
        private final List<VerifiedQuery> verified = new ArrayList<>();

        boolean isEmpty() {
            return plain.isEmpty() && verified.isEmpty();
        }

        @Override
        public QueryVisitor getSubVisitor(Occur occur, Query parent) {
            return occur == Occur.MUST_NOT || parent instanceof VerifiedQuery ? EMPTY_VISITOR : this;
        }

        @Override
        public void visitLeaf(Query query) {
            if (query instanceof SimHashQuery simHash) {
                plain.add(simHash);
            } else if (query instanceof VerifiedQuery verifiedQuery) {
                verified.add(verifiedQuery);
            }
        }
    }

    private static final class Processor implements FetchSubPhaseProcessor {

        private final Clauses clauses;
        private LeafReaderContext leaf;

        Processor(Clauses clauses) {
            this.clauses = clauses;
        }

        @Override
        public void setNextReader(LeafReaderContext next) {
            leaf = next;
        }

        @Override
        public void process(HitContext hit) throws IOException {
            List<Object> evidence = new ArrayList<>();
            for (SimHashQuery query : clauses.plain) {
                int distance = query.distance(leaf, hit.docId());
                if (distance >= 0) {
                    evidence.add(Map.of("distance", distance));
                }
            }
            for (VerifiedQuery query : clauses.verified) {
                addVerified(query, hit, evidence);
            }
            if (evidence.isEmpty() == false) {
                hit.hit().setDocumentField(FIELD, new DocumentField(FIELD, evidence));
            }
        }

        private void addVerified(VerifiedQuery query, HitContext hit, List<Object> evidence) throws IOException {
            int distance = nearest(query, hit.docId());
            if (distance < 0) {
                return;
            }
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("distance", distance);
            Verdict verdict = query.documents(leaf).verify(hit.docId());
            if (Double.isNaN(verdict.similarity())) {
                entry.put("reason", verdict.outcome().reason());
            } else {
                entry.put("similarity", verdict.similarity());
            }
            evidence.add(entry);
        }

        private int nearest(VerifiedQuery query, int doc) throws IOException {
            Clauses near = new Clauses();
            query.near().visit(near);
            int nearest = -1;
            for (SimHashQuery target : near.plain) {
                int distance = target.distance(leaf, doc);
                nearest = nearest < 0 || (distance >= 0 && distance < nearest) ? distance : nearest;
            }
            return nearest;
        }
    }
}
