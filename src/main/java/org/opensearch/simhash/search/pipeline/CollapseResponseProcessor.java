/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.tasks.TaskCancelledException;
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
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.simhash.search.pipeline.GreedyCollapse.PairTest;
import org.opensearch.simhash.search.pipeline.VerifiedHits.Patience;
import org.opensearch.simhash.search.query.HitPrints;
import org.opensearch.simhash.search.warnings.RequestWarnings;

/**
 * The response side of {@code collapse_near_duplicates}: makes the page of distinct hits and reports in
 * {@code ext.simhash}. The rest of the response stays. Thread-safe.
 */
public class CollapseResponseProcessor extends AbstractProcessor implements StatefulSearchResponseProcessor {

    public static final String TYPE = CollapseOptions.TYPE;

    /** Fingerprints compared within a millisecond. More are compared on another thread, since this one may be a network thread. */
    private static final int AT_ONCE = 1000;

    /** So many pairs of sketches, or tests of conditions, take as long as one fingerprint. All pairs are compared. */
    private static final int PAIRS_AT_ONCE = 40;

    private static final Logger LOGGER = LogManager.getLogger(CollapseResponseProcessor.class);

    private final CollapseOptions options;
    private final Counters<CollapseCount> counts;
    private final VerifiedHits.Services services;

    CollapseResponseProcessor(
            String tag,
            String description,
            boolean ignoreFailure,
            CollapseOptions options,
            Counters<CollapseCount> counts,
            VerifiedHits.Services services) {
        super(tag, description, ignoreFailure);
        this.options = options;
        this.counts = counts;
        this.services = services;
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
        ActionListener<SearchResponse> counted = counted(listener);
        Runnable work = () -> orFail(() -> collapse(request, response, search, counted), counted);
        if (fingerprints(response, search) > AT_ONCE) {
            services.executor().execute(work);
        } else {
            work.run();
        }
    }

    private ActionListener<SearchResponse> counted(ActionListener<SearchResponse> listener) {
        return ActionListener.wrap(listener::onResponse, e -> {
            counts.increment(CollapseCount.FAILED);
            listener.onFailure(CollapseOptions.named(name(), e));
        });
    }

    private static long fingerprints(SearchResponse response, PipelineProcessingContext search) {
        CollapsePlan plan = CollapsePlan.of(search);
        if (plan == null || plan.options() == null) {
            return 0;
        }
        if (plan.options().isByGroup()) {
            long hits = response.getHits().getHits().length;
            return plan.options().conditionsOrNone().isEmpty() ? hits : hits * hits / PAIRS_AT_ONCE;
        }
        if (plan.options().kind() == SketchKind.PASSAGES) {
            return Long.MAX_VALUE; // texts are compared
        }
        String field = plan.options().carrier();
        long fingerprints = 0;
        try {
            for (SearchHit hit : response.getHits()) {
                fingerprints += HitPrints.of(hit, field).size();
                if (fingerprints > AT_ONCE) {
                    break; // it need not take longer than comparing them
                }
            }
        } catch (RuntimeException e) {
            return 0; // The work fails by it, too, and knows what becomes of failures.
        }
        return plan.options().kind() == SketchKind.MINHASH ? fingerprints * fingerprints / PAIRS_AT_ONCE : fingerprints;
    }

    /** Blocks, if texts are read. OpenSearch calls the other method. */
    @Override
    public SearchResponse processResponse(
            SearchRequest request, SearchResponse response, PipelineProcessingContext search) {
        PlainActionFuture<SearchResponse> done = PlainActionFuture.newFuture();
        processResponseAsync(request, response, search, done);
        return done.actionGet();
    }

    private void collapse(
            SearchRequest request,
            SearchResponse response,
            PipelineProcessingContext search,
            ActionListener<SearchResponse> listener) {
        CollapsePlan plan = CollapsePlan.of(search);
        if (plan == null) {
            throw CollapseOptions.refusal("must be in [request_processors] too when it is in [response_processors] of a"
                    + " search pipeline, got: [response_processors] only");
        }
        if (plan.equals(CollapsePlan.LEAVE)) {
            listener.onResponse(response);
            return;
        }
        if (plan.equals(CollapsePlan.DONE)) {
            throw CollapseOptions.refusal("must be in [response_processors] once, got: more than once");
        }
        CollapsePlan.DONE.keepFor(search);
        CollapseRequestProcessor.release(request, plan);
        CollapsedHits.removeFingerprints(response.getSuggest(), plan);
        List<SearchExtBuilder> exts =
                new ArrayList<>(response.getInternalResponse().getSearchExtBuilders());
        ActionListener<CollapsedHits> made = ActionListener.wrap(
                collapsed -> {
                    exts.add(collapsed.counts().ext());
                    if (plan.window() > 0) { // else no hits were compared
                        tell(collapsed);
                    }
                    listener.onResponse(with(collapsed.page(), exts, request, response));
                },
                e -> {
                    boolean isVerbose = SearchSurroundings.isVerbose(request);
                    if (isIgnoreFailure() == false && isVerbose == false) {
                        listener.onFailure(e);
                        return;
                    }
                    // OpenSearch would ignore the failure, and return all the hits asked for.
                    counts.increment(CollapseCount.FAILED);
                    if (isVerbose) {
                        search.addProcessorExecutionDetail(failure(e));
                    }
                    LOGGER.warn("[{}] ignores a failure: the page has near-duplicates", TYPE, e);
                    listener.onResponse(
                            with(CollapsedHits.pageAsFound(response.getHits(), plan), exts, request, response));
                });
        orFail(() -> fill(request, response.getHits(), plan, Patience.of(request), made), made);
    }

    /** Searches for more hits until the page is full, there are none, or they are too many. */
    private void fill(
            SearchRequest request,
            SearchHits found,
            CollapsePlan plan,
            Patience patience,
            ActionListener<CollapsedHits> listener) {
        long bytes = plan.bytes(found); // before entries are added
        collapse(
                request,
                found,
                plan,
                patience,
                ActionListener.wrap(
                        collapsed -> {
                            boolean isShort = collapsed.counts().isWindowExhausted();
                            int next = isShort ? plan.nextWindow(bytes) : 0;
                            if (next <= plan.window()) {
                                listener.onResponse(isShort ? collapsed.with(plan.whyNotLarger()) : collapsed);
                                return;
                            }
                            Account memory = new Account(services.memory());
                            ActionListener<CollapsedHits> after = ActionListener.runBefore(listener, memory::close);
                            try {
                                memory.take(next * bytes);
                                CollapsePlan larger = plan.withWindow(next);
                                // Nobody typed its window.
                                ActionListener<CollapsedHits> filled = ActionListener.wrap(after::onResponse, e -> {
                                    if (e instanceof GreedyCollapse.TooManyPrintsException) {
                                        leave(collapsed, e, patience, after);
                                    } else {
                                        after.onFailure(e);
                                    }
                                });
                                search(
                                        larger,
                                        patience,
                                        ActionListener.wrap(
                                                hits -> orFail(
                                                        () -> fill(
                                                                request, hits(hits, found), larger, patience, filled),
                                                        filled),
                                                e -> leave(collapsed, e, patience, after)));
                            } catch (CircuitBreakingException e) {
                                leave(collapsed, e, patience, after);
                            }
                        },
                        listener::onFailure));
    }

    private void search(CollapsePlan plan, Patience patience, ActionListener<SearchHits> listener) {
        SearchRequest search = plan.further().of().apply(plan.window());
        ActionListener<SearchResponse> answered = ActionListener.wrap(
                response -> {
                    if (response.isTimedOut() || response.getFailedShards() > 0) {
                        throw new OpenSearchTimeoutException(response.getFailedShards() + " of "
                                + response.getTotalShards() + " shards failed, or the time is up");
                    }
                    listener.onResponse(response.getHits());
                },
                listener::onFailure);
        services.search(
                search,
                plan.task(),
                patience,
                ActionListener.runBefore(answered, () -> CollapseRequestProcessor.release(search, plan)));
    }

    /** Reports a refusal as a failure, also one that a further search finds. */
    private static void orFail(Runnable work, ActionListener<?> listener) {
        try {
            work.run();
        } catch (RuntimeException e) {
            listener.onFailure(e);
        }
    }

    /** With the totals of the first search. */
    private static SearchHits hits(SearchHits more, SearchHits first) {
        return new SearchHits(
                more.getHits(),
                first.getTotalHits(),
                first.getMaxScore(),
                more.getSortFields(),
                more.getCollapseField(),
                more.getCollapseValues());
    }

    /** The page stays as it is, unless the user does not want it. */
    private static void leave(
            CollapsedHits collapsed, Exception why, Patience patience, ActionListener<CollapsedHits> listener) {
        if (patience.isOver() == false && ExceptionsHelper.unwrap(why, TaskCancelledException.class) != null) {
            listener.onFailure(why);
            return;
        }
        String reason = why instanceof GreedyCollapse.TooManyPrintsException many
                ? "more hits would have more than " + many.most
                : "no more hits could be read: " + (patience.isOver() ? patience.late() : why.getMessage());
        listener.onResponse(collapsed.with(Optional.of("the page is not full, because " + reason)));
    }

    private void collapse(
            SearchRequest request,
            SearchHits found,
            CollapsePlan plan,
            Patience patience,
            ActionListener<CollapsedHits> listener) {
        CollapseOptions both = plan.options().with(options);
        if (plan.window() == 0) {
            listener.onResponse(CollapsedHits.none(found));
            return;
        }
        PairTest conditions = CollapsedHits.conditions(found.getHits(), plan);
        Stories stories = Stories.of(found.getHits(), plan);
        RankedHits ranked = CollapsedHits.ranked(found.getHits(), plan, both, stories);
        int[] compared = both.readsTexts() ? ranked.near(conditions).stream().toArray() : new int[0];
        if (compared.length == 0) {
            PairTest test = both.readsTexts() ? (by, hit) -> false : conditions;
            listener.onResponse(
                    CollapsedHits.of(found, plan, ranked, stories, test, (by, hit) -> OptionalDouble.empty()));
            return;
        }
        VerifiedHits texts = new VerifiedHits(services, plan, both, request, found.getHits(), patience);
        ActionListener<CollapsedHits> done = ActionListener.runBefore(listener, texts::close);
        texts.read(
                compared,
                () -> ActionListener.completeWith(
                        done,
                        () -> CollapsedHits.of(
                                        found,
                                        plan,
                                        ranked,
                                        stories,
                                        (by, hit) -> conditions.mayHide(by, hit) && texts.areSimilar(by, hit),
                                        texts::found)
                                .with(texts.warning())));
    }

    private void tell(CollapsedHits collapsed) {
        collapsed.counts().addTo(counts);
        counts.add(CollapseCount.WITHOUT_FINGERPRINT, collapsed.without());
        RequestWarnings warnings =
                RequestWarnings.of(services.client().threadPool().getThreadContext());
        collapsed.warnings().forEach(sentence -> warnings.add("[" + name() + "] " + sentence));
    }

    String name() {
        return TYPE;
    }

    /** Added to OpenSearch's own detail for this processor. */
    private ProcessorExecutionDetail failure(Exception e) {
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

    /** @param services for texts; its executor is for all work of more than a millisecond */
    public static Processor.Factory<SearchResponseProcessor> factory(
            Counters<CollapseCount> counts, VerifiedHits.Services services) {
        return (others, tag, description, ignoreFailure, definition, context) -> new CollapseResponseProcessor(
                tag, description, ignoreFailure, CollapseOptions.parse(tag, definition), counts, services);
    }
}
