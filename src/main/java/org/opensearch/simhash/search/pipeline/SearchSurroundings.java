/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.IndexSettings;
import org.opensearch.search.pipeline.PipelineConfiguration;
import org.opensearch.search.pipeline.SearchPipelineMetadata;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.tasks.TaskResourceTrackingService;

/**
 * Facts of the cluster state about a search's indices and pipeline, for the coordinating node.
 *
 * @param cluster the node's view of the cluster, once it is up
 */
public record SearchSurroundings(Supplier<SearchedIndices.Cluster> cluster) {

    private static final String REQUEST_SIDE = "request_processors";
    private static final String RESPONSE_SIDE = "response_processors";

    /** The most hits that every index allows. Remote indices count with the default. */
    int most(Setting<Integer> setting, SearchRequest request) {
        List<IndexMetadata> indices = new SearchedIndices(cluster).metadata(request);
        int max = indices.isEmpty() || areLocal(request) == false ? setting.get(Settings.EMPTY) : Integer.MAX_VALUE;
        return indices.stream()
                .mapToInt(index -> setting.get(index.getSettings()))
                .reduce(max, Math::min);
    }

    /** Archives of deleted documents, unless the search names one alone. */
    Set<String> archives(SearchRequest request) {
        List<String> indices = new SearchedIndices(cluster)
                .metadata(request).stream()
                        .map(index -> index.getIndex().getName())
                        .toList();
        return cluster.get()
                .archives()
                .leftOut(
                        cluster.get().service().state().metadata(),
                        request.pointInTimeBuilder() == null ? Arrays.asList(request.indices()) : indices,
                        indices);
    }

    /** The task of the search that this thread works for; none if OpenSearch does not track tasks. */
    TaskId task() {
        return cluster.get().threads().getTransient(TaskResourceTrackingService.TASK_ID) instanceof Long id
                ? new TaskId(cluster.get().service().localNode().getId(), id)
                : TaskId.EMPTY_TASK_ID;
    }

    boolean areLocal(SearchRequest request) {
        return new SearchedIndices(cluster).areLocal(request);
    }

    /** Whether the response shows each processor's work; then OpenSearch ignores failures. */
    static boolean isVerbose(SearchRequest request) {
        return request.source() != null && request.source().verbosePipeline();
    }

    static boolean namesPipeline(SearchRequest request) {
        return request.pipeline() != null
                || (request.source() != null
                        && (request.source().pipeline() != null
                                || request.source().searchPipelineSource() != null));
    }

    /**
     * Refuses a pipeline without response side, whose pages would be too long and would start at the first hit.
     *
     * @throws org.opensearch.OpenSearchStatusException if the response side is missing
     */
    void requireResponseSide(SearchRequest request) {
        Map<String, Object> inline =
                request.source() == null ? null : request.source().searchPipelineSource();
        // Before 3.8 OpenSearch empties an inline definition by reading it, and loses the name of a pipeline. Such
        // requests are not checked there.
        if (inline != null && inline.get(REQUEST_SIDE) != null) {
            requireResponseSide("of the request", inline);
        } else if (inline == null) {
            String id = pipelineOf(request);
            Map<String, Object> stored = id == null ? null : stored(id);
            if (stored != null) {
                requireResponseSide("[" + id + "]", stored);
            }
        }
    }

    private static void requireResponseSide(String name, Map<String, Object> pipeline) {
        List<?> processors = pipeline.get(RESPONSE_SIDE) instanceof List<?> list ? list : List.of();
        List<?> types = processors.stream()
                .flatMap(processor -> ((Map<?, ?>) processor).keySet().stream())
                .toList();
        if (types.contains(CollapseOptions.TYPE) == false) {
            throw CollapseOptions.refusal("must be in [response_processors] too when it is in [request_processors] of"
                    + " search pipeline " + name + ", got: " + types);
        }
    }

    private String pipelineOf(SearchRequest request) {
        if (request.pipeline() != null) {
            return request.pipeline();
        }
        if (request.source() != null && request.source().pipeline() != null) {
            return request.source().pipeline();
        }
        return new SearchedIndices(cluster)
                .metadata(request).stream()
                        .map(IndexMetadata::getSettings)
                        .filter(IndexSettings.DEFAULT_SEARCH_PIPELINE::exists)
                        .map(IndexSettings.DEFAULT_SEARCH_PIPELINE::get)
                        .findFirst()
                        .orElse(null);
    }

    private Map<String, Object> stored(String id) {
        SearchPipelineMetadata pipelines =
                cluster.get().service().state().metadata().custom(SearchPipelineMetadata.TYPE);
        PipelineConfiguration pipeline =
                pipelines == null ? null : pipelines.getPipelines().get(id);
        return pipeline == null ? null : pipeline.getConfigAsMap();
    }
}
