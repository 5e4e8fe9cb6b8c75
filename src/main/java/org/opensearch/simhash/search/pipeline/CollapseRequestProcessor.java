/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.index.IndexSettings;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.search.pipeline.AbstractProcessor;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.StatefulSearchRequestProcessor;
import org.opensearch.search.rescore.QueryRescoreMode;
import org.opensearch.search.rescore.QueryRescorerBuilder;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.simhash.search.query.SimHashExt;

/** The request side of {@code collapse_near_duplicates}: asks for more hits than the page has, and for their fingerprints. Thread-safe. */
public class CollapseRequestProcessor extends AbstractProcessor implements StatefulSearchRequestProcessor {

    public static final String TYPE = CollapseOptions.TYPE;

    // The defaults of a search.
    private static final int FROM = 0;
    private static final int SIZE = 10;

    private final CollapseOptions options;
    private final SearchSurroundings surroundings;
    /** What the processor was made for, as the user sent it; null if it is in a pipeline. */
    private final SearchRequest sent;

    /** @param sent what the processor is made for; null for a pipeline */
    CollapseRequestProcessor(
            String tag,
            String description,
            boolean ignoreFailure,
            CollapseOptions options,
            SearchSurroundings surroundings,
            SearchRequest sent) {
        super(tag, description, ignoreFailure);
        this.options = options;
        this.surroundings = surroundings;
        this.sent = sent;
    }

    @Override
    public String getType() {
        return TYPE;
    }

    @Override
    public SearchRequest processRequest(SearchRequest request, PipelineProcessingContext search) {
        try {
            return planned(request, search);
        } catch (RuntimeException e) {
            if ((isIgnoreFailure() || SearchSurroundings.isVerbose(request)) && CollapsePlan.of(search) == null) {
                // OpenSearch ignores the failure and leaves the request as it is. The response side must do the same.
                CollapsePlan.LEAVE.keepFor(search);
            }
            throw e;
        }
    }

    private SearchRequest planned(SearchRequest request, PipelineProcessingContext search) {
        if (CollapsePlan.of(search) != null) {
            throw CollapseOptions.refusal("must be in [request_processors] once, got: more than once");
        }
        if (sent == null) {
            surroundings.requireResponseSide(request);
        }
        if (request.scroll() != null) {
            leaveScroll(request, search);
            return request;
        }
        SearchSourceBuilder source = request.source() == null ? new SearchSourceBuilder() : request.source();
        int from = source.from() < 0 ? FROM : source.from();
        int size = source.size() < 0 ? SIZE : source.size();
        if (source.searchAfter() != null && from > 0) {
            throw CollapseOptions.refusal("[from] must be 0 when [search_after] is given, got: " + from);
        }
        if (size == 0 || (long) from + size > Integer.MAX_VALUE) {
            // No hits, or more than allowed: OpenSearch reports it.
            request.source(copy(request, source));
            CollapsePlan.withoutHits(options, from, size).keepFor(search);
            return request;
        }
        int maxWindow = surroundings.most(IndexSettings.MAX_RESULT_WINDOW_SETTING, request);
        int window = CollapsePlan.window(from + size, options.oversampleOrDefault(), maxWindow);
        boolean wanted = source.docValueFields() != null
                && source.docValueFields().stream().anyMatch(field -> field.field.equals(options.carrier()));
        CollapsePlan plan = new CollapsePlan(
                options,
                from,
                size,
                window,
                wanted,
                surroundings.archives(request),
                sent == null || isRepeatable(request, source) == false ? null : further(source, wanted, maxWindow),
                surroundings.task());
        request.source(oversampled(request, source, wanted, window));
        plan.keepFor(search);
        return request;
    }

    /** Not with a pipeline in the body that other clusters would run, or that OpenSearch emptied by reading it, as before 3.8. */
    private boolean isRepeatable(SearchRequest request, SearchSourceBuilder source) {
        Map<String, Object> pipeline = source.searchPipelineSource();
        return pipeline == null || (pipeline.isEmpty() == false && surroundings.areLocal(request));
    }

    /** The search as the user sent it, through the same pipeline, for more hits and nothing else. */
    private CollapsePlan.Further further(SearchSourceBuilder source, boolean wanted, int maxWindow) {
        return new CollapsePlan.Further(
                window -> new SearchRequest(sent)
                        .pipeline(sent.pipeline())
                        .source(oversampled(sent, source, wanted, window)
                                .suggest(null)
                                .profile(false)
                                .verbosePipeline(false)
                                .trackTotalHits(false)),
                maxWindow);
    }

    private SearchSourceBuilder oversampled(
            SearchRequest request, SearchSourceBuilder source, boolean wanted, int window) {
        SearchSourceBuilder oversampled = copy(request, source).from(0).size(window);
        Rescorers.widen(
                oversampled, window, () -> surroundings.most(IndexSettings.MAX_RESCORE_WINDOW_SETTING, request));
        FieldAndFormat prints = options.asked();
        return isOurs(wanted, prints) ? oversampled.docValueField(prints.field, prints.format) : oversampled;
    }

    /**
     * A pipeline sees only the first batch of a scroll; later batches would have near-duplicates. A request that names the pipeline is
     * refused. A default pipeline lets scrolls pass, because reindex, update and delete by query must see all documents.
     */
    private void leaveScroll(SearchRequest request, PipelineProcessingContext search) {
        if (sent != null || SearchSurroundings.namesPipeline(request)) {
            throw CollapseOptions.refusal(
                    "works on pages and not on a [scroll], of which a search pipeline sees the first"
                            + " batch only; use [from] and [size], or [search_after], got: scroll="
                            + request.scroll().keepAlive().getStringRep());
        }
        CollapsePlan.LEAVE.keepFor(search);
    }

    /**
     * A copy: a caller in the node may reuse its source for the next page.
     *
     * <p>An inline pipeline stays for readers during rewriting, but is not sent to other clusters, which would run it too.
     */
    private SearchSourceBuilder copy(SearchRequest request, SearchSourceBuilder source) {
        SearchSourceBuilder copy = source.shallowCopy();
        if (sent != null) {
            copy.ext(source.ext().stream().flatMap(SimHashExt::withoutDistinct).toList());
        }
        Map<String, Object> pipeline = source.searchPipelineSource();
        return pipeline != null && surroundings.areLocal(request) ? copy.searchPipelineSource(pipeline) : copy;
    }

    /** Whether the prints are asked for here, even if the user asks for them. */
    private static boolean isOurs(boolean wanted, FieldAndFormat asked) {
        return wanted == false || asked.format != null;
    }

    /** Restores the field list, which belongs to the caller. */
    static void release(SearchRequest request, CollapsePlan plan) {
        FieldAndFormat asked = plan.options().asked();
        if (isOurs(plan.fingerprintsWanted(), asked) && request.source().docValueFields() != null) {
            request.source().docValueFields().remove(asked);
        }
    }

    /** @param surroundings facts about a search's indices and pipelines */
    public static Processor.Factory<SearchRequestProcessor> factory(SearchSurroundings surroundings) {
        return (others, tag, description, ignoreFailure, definition, context) -> new CollapseRequestProcessor(
                tag, description, ignoreFailure, CollapseOptions.parse(tag, definition), surroundings, null);
    }

    /**
     * Widens rescorers for a search that looks at more hits than its page. OpenSearch mixes hits that a rescorer has not seen with those it
     * has. If a rescorer can lower a score, the best hits would fall behind the window, so it must see all hits.
     *
     * <p>A rescorer that only raises scores stays: its fixed window keeps pages consistent. Rescorers of plugins stay,
     * since they cannot be copied.
     */
    private static final class Rescorers {

        private Rescorers() {}

        /** Replaces rescorers of {@code source} by copies: the originals belong to the caller. */
        @SuppressWarnings("rawtypes") // as in OpenSearch
        static void widen(SearchSourceBuilder source, int window, IntSupplier maxWindow) {
            List<RescorerBuilder> rescorers = source.rescores();
            if (rescorers == null || rescorers.stream().noneMatch(Rescorers::mayLower)) {
                return;
            }
            int wanted = Math.min(window, maxWindow.getAsInt());
            source.clearRescorers();
            for (RescorerBuilder<?> rescorer : rescorers) {
                source.addRescorer(
                        mayLower(rescorer) && windowOf(rescorer) < wanted
                                ? copy((QueryRescorerBuilder) rescorer).windowSize(wanted)
                                : rescorer);
            }
        }

        private static boolean mayLower(RescorerBuilder<?> rescorer) {
            if (rescorer.getClass() != QueryRescorerBuilder.class) {
                return false;
            }
            QueryRescorerBuilder query = (QueryRescorerBuilder) rescorer;
            boolean raises =
                    query.getScoreMode() == QueryRescoreMode.Total || query.getScoreMode() == QueryRescoreMode.Max;
            return raises == false || query.getQueryWeight() < 0 || query.getRescoreQueryWeight() < 0;
        }

        private static int windowOf(RescorerBuilder<?> rescorer) {
            return rescorer.windowSize() == null ? RescorerBuilder.DEFAULT_WINDOW_SIZE : rescorer.windowSize();
        }

        private static QueryRescorerBuilder copy(QueryRescorerBuilder rescorer) {
            return new QueryRescorerBuilder(rescorer.getRescoreQuery())
                    .setScoreMode(rescorer.getScoreMode())
                    .setQueryWeight(rescorer.getQueryWeight())
                    .setRescoreQueryWeight(rescorer.getRescoreQueryWeight());
        }
    }
}
