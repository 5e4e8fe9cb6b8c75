/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.internal.InternalSearchResponse;
import org.opensearch.search.pipeline.AbstractProcessor;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.ProcessorExecutionDetail;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.search.pipeline.StatefulSearchResponseProcessor;
import org.opensearch.search.profile.ProfileShardResult;
import org.opensearch.search.profile.SearchProfileShardResults;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.fingerprint.SketchKind;
import org.opensearch.simhash.query.Archives;
import org.opensearch.simhash.query.HitPrints.HitFingerprint;
import org.opensearch.simhash.warnings.RequestWarnings;

/**
 * The response side of {@code collapse_near_duplicates}: makes the page of distinct hits and reports in
 * {@code ext.simhash}. The rest of the response stays. Thread-safe.
 */
public final class CollapseResponseProcessor extends AbstractProcessor implements StatefulSearchResponseProcessor {

    public static final String TYPE = CollapseOptions.TYPE;

    /**
     * Fingerprints compared within a millisecond. More are compared on another thread, since this one may be a network
     * thread.
     */
    private static final int AT_ONCE = 1000;

    /** Pairs of sketches that take as long as one fingerprint counts above. All pairs are compared. */
    private static final int SKETCHES_AT_ONCE = 40;

    private static final Logger LOGGER = LogManager.getLogger(CollapseResponseProcessor.class);

    private final CollapseOptions options;
    private final Consumer<Runnable> executor;
    private final Counters<CollapseCount> counts;
    private final ThreadContext threads;

    private CollapseResponseProcessor(
            String tag,
            String description,
            boolean ignoreFailure,
            CollapseOptions options,
            Consumer<Runnable> executor,
            Counters<CollapseCount> counts,
            ThreadContext threads) {
        super(tag, description, ignoreFailure);
        this.options = options;
        this.executor = executor;
        this.counts = counts;
        this.threads = threads;
    }

    @Override
    public String getType() {
        return TYPE;
    }

    @Override
    public void processResponseAsync(
            SearchRequest request,
            SearchResponse response,
            PipelineProcessingContext search,
            ActionListener<SearchResponse> listener) {
        Runnable work = ActionRunnable.supply(listener, () -> processResponse(request, response, search));
        if (fingerprints(response, search) > AT_ONCE) {
            executor.accept(work);
        } else {
            work.run();
        }
    }

    private static long fingerprints(SearchResponse response, PipelineProcessingContext search) {
        CollapsePlan plan = CollapsePlan.of(search);
        if (plan == null || plan.options() == null) {
            return 0;
        }
        if (plan.options().kind() == SketchKind.MINHASH) {
            long hits = response.getHits().getHits().length;
            return hits * hits / SKETCHES_AT_ONCE;
        }
        String field = plan.options().carrier();
        long fingerprints = 0;
        for (SearchHit hit : response.getHits()) {
            fingerprints += HitFingerprint.count(hit, field);
        }
        return fingerprints;
    }

    @Override
    public SearchResponse processResponse(
            SearchRequest request, SearchResponse response, PipelineProcessingContext search) {
        try {
            return collapsed(request, response, search);
        } catch (RuntimeException e) {
            counts.increment(CollapseCount.FAILED);
            throw e;
        }
    }

    private SearchResponse collapsed(SearchRequest request, SearchResponse response, PipelineProcessingContext search) {
        CollapsePlan plan = CollapsePlan.of(search);
        if (plan == null) {
            throw CollapseOptions.refusal("must be in [request_processors] too when it is in [response_processors] of a"
                    + " search pipeline, got: [response_processors] only");
        }
        if (plan.equals(CollapsePlan.LEAVE)) {
            return response;
        }
        if (plan.equals(CollapsePlan.DONE)) {
            throw CollapseOptions.refusal("must be in [response_processors] once, got: more than once");
        }
        CollapsePlan.DONE.keepFor(search);
        CollapseRequestProcessor.release(request, plan);
        CollapsedHits.removeFingerprints(response.getSuggest(), plan);
        List<SearchExtBuilder> exts =
                new ArrayList<>(response.getInternalResponse().getSearchExtBuilders());
        try {
            CollapsedHits collapsed =
                    CollapsedHits.of(response.getHits(), plan, plan.options().with(options));
            exts.add(collapsed.counts());
            if (plan.window() > 0) { // else no hits were compared
                collapsed.counts().addTo(counts);
                counts.add(CollapseCount.WITHOUT_FINGERPRINT, collapsed.without());
                if (Arrays.stream(response.getHits().getHits()).anyMatch(plan::isArchived)) {
                    RequestWarnings.of(threads).add("[" + TYPE + "] " + Archives.warning(plan.archives()));
                }
                collapsed
                        .incomparable()
                        .ifPresent(why -> RequestWarnings.of(threads).add("[" + TYPE + "] " + why));
            }
            return with(collapsed.page(), exts, request, response);
        } catch (RuntimeException e) {
            boolean isVerbose = SearchSurroundings.isVerbose(request);
            if (isIgnoreFailure() == false && isVerbose == false) {
                throw e;
            }
            // OpenSearch would ignore the failure, and return all the hits asked for.
            counts.increment(CollapseCount.FAILED);
            if (isVerbose) {
                search.addProcessorExecutionDetail(failure(e));
            }
            LOGGER.warn("[{}] ignores a failure: the page has near-duplicates", TYPE, e);
            return with(CollapsedHits.pageAsFound(response.getHits(), plan), exts, request, response);
        }
    }

    /** Added to OpenSearch's own detail for this processor. */
    private ProcessorExecutionDetail failure(RuntimeException e) {
        ProcessorExecutionDetail detail = new ProcessorExecutionDetail(TYPE, getTag());
        detail.markProcessorAsFailed(ProcessorExecutionDetail.ProcessorStatus.FAIL, e.getMessage());
        return detail;
    }

    private static SearchResponse with(
            SearchHits page, List<SearchExtBuilder> exts, SearchRequest request, SearchResponse response) {
        InternalSearchResponse sections = new InternalSearchResponse(
                page,
                (InternalAggregations) response.getAggregations(),
                response.getSuggest(),
                profile(request, response),
                response.isTimedOut(),
                response.isTerminatedEarly(),
                response.getNumReducePhases(),
                exts,
                response.getInternalResponse().getProcessorResult());
        return new SearchResponse(
                sections,
                response.getScrollId(),
                response.getTotalShards(),
                response.getSuccessfulShards(),
                response.getSkippedShards(),
                response.getTook().millis(),
                response.getPhaseTook(),
                response.getShardFailures(),
                response.getClusters(),
                response.pointInTimeId());
    }

    private static SearchProfileShardResults profile(SearchRequest request, SearchResponse response) {
        Map<String, ProfileShardResult> shards = response.getProfileResults();
        boolean asked = request.source() != null && request.source().profile();
        return asked || shards.isEmpty() == false ? new SearchProfileShardResults(shards) : null;
    }

    /**
     * @param executor for work of more than a millisecond
     * @param threads the node's thread context
     */
    public record Factory(Consumer<Runnable> executor, Counters<CollapseCount> counts, ThreadContext threads)
            implements Processor.Factory<SearchResponseProcessor> {

        @Override
        public SearchResponseProcessor create(
                Map<String, Processor.Factory<SearchResponseProcessor>> others,
                String tag,
                String description,
                boolean ignoreFailure,
                Map<String, Object> definition,
                PipelineContext context) {
            CollapseOptions options = CollapseOptions.parse(tag, definition);
            return new CollapseResponseProcessor(tag, description, ignoreFailure, options, executor, counts, threads);
        }
    }
}
