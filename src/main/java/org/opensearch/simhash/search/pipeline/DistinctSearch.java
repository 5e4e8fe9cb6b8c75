/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.plugins.SearchPipelinePlugin.SystemGeneratedSearchPipelineConfigKeys;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.ProcessorConflictEvaluationContext;
import org.opensearch.search.pipeline.ProcessorGenerationContext;
import org.opensearch.search.pipeline.SearchPipelineService;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.search.pipeline.SystemGeneratedProcessor;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.simhash.search.query.SimHashExt;

/**
 * Collapse without a pipeline: OpenSearch makes both sides for a search with {@link SimHashExt#DISTINCT}. The request side runs before
 * the processors of a pipeline, the response side after them, so that others rank the hits of the window.
 *
 * @param surroundings facts about a search's indices and pipelines
 * @param counts the node's
 */
public record DistinctSearch(
        SearchSurroundings surroundings, Counters<CollapseCount> counts, VerifiedHits.Services services) {

    /** In {@code cluster.search.enabled_system_generated_factories}. */
    public static final String FACTORY = "simhash_distinct";

    public SystemGeneratedProcessor.SystemGeneratedFactory<SearchRequestProcessor> requestSide() {
        return new Factory<>(search -> new RequestSide(search, surroundings));
    }

    public SystemGeneratedProcessor.SystemGeneratedFactory<SearchResponseProcessor> responseSide() {
        return new Factory<>(search -> new ResponseSide(search, counts, services));
    }

    /** What a request or an answer says in its section. */
    public static SimHashExt fromXContent(XContentParser parser) throws IOException {
        SimHashExt ext = SimHashExt.fromXContent(parser);
        if (ext.distinct() != null) {
            CollapseOptions.whole(ext.distinct()); // refuses wrong ones
        }
        return ext;
    }

    private static CollapseOptions options(SearchRequest search) {
        return CollapseOptions.whole(SimHashExt.distinct(search));
    }

    private record Factory<T extends Processor>(Function<SearchRequest, T> side)
            implements SystemGeneratedProcessor.SystemGeneratedFactory<T> {

        @Override
        public boolean shouldGenerate(ProcessorGenerationContext context) {
            return SimHashExt.distinct(context.searchRequest()) != null;
        }

        @Override
        public T create(
                Map<String, Processor.Factory<T>> others,
                String tag,
                String description,
                boolean ignoreFailure,
                Map<String, Object> search,
                Processor.PipelineContext context) {
            return side.apply((SearchRequest) search.get(SystemGeneratedSearchPipelineConfigKeys.SEARCH_REQUEST));
        }
    }

    private static final class RequestSide extends CollapseRequestProcessor implements SystemGeneratedProcessor {

        RequestSide(SearchRequest search, SearchSurroundings surroundings) {
            super(null, null, false, options(search), surroundings, search);
        }

        @Override
        public String getType() {
            return FACTORY;
        }

        @Override
        public ExecutionStage getExecutionStage() {
            return ExecutionStage.PRE_USER_DEFINED;
        }

        @Override
        public void evaluateConflicts(ProcessorConflictEvaluationContext all) {
            List<String> types = Stream.concat(
                            all.getUserDefinedSearchRequestProcessors().stream(),
                            all.getUserDefinedSearchResponseProcessors().stream())
                    .map(Processor::getType)
                    .distinct()
                    .toList();
            if (types.contains(CollapseOptions.TYPE)) {
                throw new IllegalArgumentException("[distinct] must not be given beside a search pipeline with ["
                        + CollapseOptions.TYPE + "], got: " + types);
            }
        }

        @Override
        public SearchRequest processRequest(SearchRequest request, PipelineProcessingContext search) {
            try {
                return super.processRequest(request, search);
            } catch (OpenSearchStatusException e) {
                throw (OpenSearchStatusException) CollapseOptions.named(SimHashExt.DISTINCT, e);
            }
        }
    }

    private static final class ResponseSide extends CollapseResponseProcessor implements SystemGeneratedProcessor {

        ResponseSide(SearchRequest search, Counters<CollapseCount> counts, VerifiedHits.Services services) {
            super(null, null, false, options(search), counts, services);
        }

        @Override
        public String getType() {
            return FACTORY;
        }

        @Override
        String name() {
            return SimHashExt.DISTINCT;
        }
    }

    /**
     * Refuses {@link SimHashExt#DISTINCT} where OpenSearch would ignore it.
     *
     * @param cluster null until the node is up
     */
    public static ActionFilter filter(Supplier<SearchedIndices.Cluster> cluster) {
        return new ActionFilter.Simple() {
            @Override
            public int order() {
                return Integer.MAX_VALUE;
            }

            @Override
            protected boolean apply(String action, ActionRequest request, ActionListener<?> listener) {
                if (request instanceof SearchRequest == false || SimHashExt.distinct((SearchRequest) request) == null) {
                    return true;
                }
                List<String> enabled = cluster.get()
                        .service()
                        .getClusterSettings()
                        .get(SearchPipelineService.ENABLED_SYSTEM_GENERATED_FACTORIES_SETTING);
                if (enabled.contains(FACTORY) || enabled.contains(SearchPipelineService.ALL)) {
                    return true;
                }
                listener.onFailure(new OpenSearchStatusException(
                        "[distinct] must be switched on with the cluster setting ["
                                + SearchPipelineService.ENABLED_SYSTEM_GENERATED_FACTORIES_SETTING.getKey()
                                + "], which must have [" + FACTORY + "] or [*], got: " + enabled,
                        RestStatus.BAD_REQUEST));
                return false;
            }
        };
    }
}
