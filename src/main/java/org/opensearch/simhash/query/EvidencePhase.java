/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.SearchService;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.simhash.match.MinHashQuery;
import org.opensearch.simhash.match.PassagesQuery;
import org.opensearch.simhash.match.SimHashQuery;
import org.opensearch.simhash.query.LeafEvidence.Evidence;
import org.opensearch.simhash.query.SearchMemories.RunningSearches;

/**
 * Adds to each hit, if the request asks, how near it is: {@code fields._simhash} with one entry per matching
 * {@code simhash} or {@code minhash} clause, in order. An entry has the distance and, with verification, the similarity
 * or the reason why there is none. Opens a Lucene leaf once for all its hits. Costs a look-up of the fingerprint and a
 * comparison of texts per hit. Ends with the search; an entry says if the time was up.
 */
public final class EvidencePhase implements FetchSubPhase {

    static final String FIELD = "_simhash";

    private final FetchWatch watch;

    /** @param watch must be registered as a listener of all shards */
    public EvidencePhase(FetchWatch watch) {
        this.watch = watch;
    }

    @Override
    public FetchSubPhaseProcessor getProcessor(FetchContext context) {
        if (EvidenceRequest.isWanted(context.getSearchExt(EvidenceRequest.NAME)) == false) {
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
            return query instanceof SimHashQuery
                    || query instanceof MinHashQuery
                    || query instanceof PassagesQuery
                    || query instanceof VerifiedQuery
                    || query instanceof OneClauseQuery;
        }
    }

    private static final class Processor implements FetchSubPhaseProcessor {

        private final List<Query> clauses;
        private final Runnable checkWanted;
        private LeafReaderContext leaf;
        /** By clause. */
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

    /** {@code "ext": {"simhash": {"evidence": true}}} in a search: each hit says why it matches. */
    public static final class EvidenceRequest extends SearchExtBuilder {

        public static final String NAME = "simhash";

        /** The first byte on the wire. It tells this request from others of the same name. */
        public static final byte KIND = 0;

        public static final ParseField EVIDENCE = new ParseField("evidence");

        private final boolean evidence;

        public EvidenceRequest(boolean evidence) {
            this.evidence = evidence;
        }

        /** Reads what follows the {@link #KIND}. */
        public EvidenceRequest(StreamInput in) throws IOException {
            this.evidence = in.readBoolean();
        }

        static boolean isWanted(SearchExtBuilder ext) {
            return ext instanceof EvidenceRequest request && request.evidence;
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeByte(KIND);
            out.writeBoolean(evidence);
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            return builder.startObject(NAME)
                    .field(EVIDENCE.getPreferredName(), evidence)
                    .endObject();
        }

        @Override
        public String getWriteableName() {
            return NAME;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof EvidenceRequest request && evidence == request.evidence;
        }

        @Override
        public int hashCode() {
            return Boolean.hashCode(evidence);
        }
    }

    /**
     * Tells whether a search still wants the evidence of its hits. OpenSearch checks for cancellation only between hits, and its
     * {@code timeout} only covers the query phase. The evidence may take the same time again. Thread-safe.
     */
    public static final class FetchWatch implements SearchOperationListener {

        private final RunningSearches<Limit> running = new RunningSearches<>();

        /** This is no error. */
        static final class TimeIsUpException extends RuntimeException {
            private static final long serialVersionUID = 1;

            TimeIsUpException() {
                super("the search timed out", null, false, false);
            }
        }

        /** @param end in the time of {@link System#nanoTime}; null without a timeout */
        private record Limit(SearchContext search, Long end) {

            void check() {
                if (search.isCancelled()) {
                    throw new TaskCancelledException(
                            "cancelled task with reason: " + search.getTask().getReasonCancelled());
                }
                if (end != null && System.nanoTime() - end > 0) {
                    throw new TimeIsUpException();
                }
            }
        }

        @Override
        public void onPreFetchPhase(SearchContext search) {
            if (EvidenceRequest.isWanted(search.getSearchExt(EvidenceRequest.NAME))) {
                QueryShardContext shard = search.getQueryShardContext();
                TimeValue timeout = search.timeout();
                boolean isLimited = timeout != null && SearchService.NO_TIMEOUT.equals(timeout) == false;
                Long end = isLimited ? System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeout.millis()) : null;
                Limit limit = new Limit(search, end);
                running.change(shard, any -> limit);
                search.addReleasable(() -> running.remove(shard));
            }
        }

        /** A check that throws {@link TimeIsUpException} if the time is up, another exception if the search is cancelled. */
        Runnable of(QueryShardContext shard) {
            Limit limit = running.get(shard);
            // Null, for example, if an aggregation fetches hits.
            return limit == null ? () -> {} : limit::check;
        }
    }
}
