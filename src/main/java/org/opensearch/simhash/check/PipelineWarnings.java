/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ingest.PutPipelineRequest;
import org.opensearch.action.ingest.SimulatePipelineRequest;
import org.opensearch.action.search.PutSearchPipelineRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.logging.HeaderWarning;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.simhash.options.TypedNumber;
import org.opensearch.tasks.Task;

/**
 * Adds {@code Warning} headers to the answer of {@code PUT _ingest/pipeline}: if no step before {@code near_duplicate} writes its
 * field, or if its {@code index} does not exist. Stores the pipeline all the same, because another one may write the field, and the
 * index may come. Refuses pipelines whose processors are no objects.
 *
 * @param metadata null until the node is up
 */
public record PipelineWarnings(Supplier<Metadata> metadata) implements ActionFilter {

    private static final Set<String> LISTS = Set.of(
            "processors", "on_failure", "request_processors", "response_processors", "phase_results_processors");

    /** Options with a processor or a pipeline inside. */
    private static final Set<String> INSIDE = Set.of("processor", "pipeline");

    @Override
    public int order() {
        return Integer.MAX_VALUE;
    }

    @Override
    public <Request extends ActionRequest, Response extends ActionResponse> void apply(
            Task task,
            String action,
            Request request,
            ActionRequestMetadata<Request, Response> requestMetadata,
            ActionListener<Response> listener,
            ActionFilterChain<Request, Response> chain) {
        try {
            requireProcessors(request);
        } catch (IllegalArgumentException e) {
            listener.onFailure(e);
            return;
        }
        if (request instanceof PutPipelineRequest put) {
            warnings(put).forEach(HeaderWarning::addWarning);
        }
        chain.proceed(task, action, request, listener);
    }

    /** OpenSearch answers HTTP 500 to a processor that is null, or no object. */
    private static void requireProcessors(ActionRequest request) {
        switch (request) {
            case PutPipelineRequest put -> requireProcessors(definition(put.getSource(), put.getMediaType()), false);
            case SimulatePipelineRequest tried ->
                requireProcessors(definition(tried.getSource(), tried.getXContentType()), false);
            case PutSearchPipelineRequest put ->
                requireProcessors(definition(put.getSource(), put.getMediaType()), true);
            case SearchRequest search -> {
                if (search.source() != null && search.source().searchPipelineSource() != null) {
                    requireProcessors(search.source().searchPipelineSource(), true);
                }
            }
            default -> {}
        }
    }

    /**
     * @param typed a pipeline, a list of processors, or what is in them
     * @param withOptions whether the options of a processor must be an object
     */
    private static void requireProcessors(Object typed, boolean withOptions) {
        if (typed instanceof Map<?, ?> object) {
            object.forEach((name, value) -> {
                if (LISTS.contains(String.valueOf(name)) && value instanceof List<?> processors) {
                    processors.forEach(processor -> requireProcessor(name, processor, withOptions));
                } else if (INSIDE.contains(String.valueOf(name))) {
                    requireProcessors(value, withOptions);
                }
            });
        }
    }

    private static void requireProcessor(Object list, Object processor, boolean withOptions) {
        boolean isObject = processor instanceof Map<?, ?> byType
                && (withOptions == false || byType.values().stream().allMatch(Map.class::isInstance));
        if (isObject == false) {
            throw new IllegalArgumentException("[" + list
                    + "] must have processors, each an object with the options of its type, got: "
                    + TypedNumber.shown(String.valueOf(processor)));
        }
        ((Map<?, ?>) processor).values().forEach(options -> requireProcessors(options, withOptions));
    }

    /** Empty if OpenSearch refuses it. */
    private static Map<String, Object> definition(BytesReference source, MediaType type) {
        try {
            return XContentHelper.convertToMap(source, false, type).v2();
        } catch (RuntimeException e) {
            return Map.of();
        }
    }

    private List<String> warnings(PutPipelineRequest put) {
        Map<String, Object> definition = definition(put.getSource(), put.getMediaType());
        List<Step> steps =
                new PipelineSteps(metadata.get(), Map.of(put.getId(), definition)).of(List.of(put.getId()));
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step.isNearDuplicate() && steps.subList(0, i).stream().noneMatch(other -> other.writesFor(step))) {
                warnings.add("[near_duplicate] of pipeline [" + put.getId() + "] reads [" + step.nearDuplicateField()
                        + "], but no processor before it writes that:"
                        + " it finds nothing unless another pipeline or the client does");
            }
            List<String> missing = step.isNearDuplicate() ? missing(step.comparedIndices()) : List.of();
            if (missing.isEmpty() == false) {
                warnings.add("[index] of [near_duplicate] in pipeline [" + put.getId() + "] names " + missing
                        + ", which does not exist: documents of other indices are refused until it does");
            }
        }
        return warnings.stream().distinct().toList();
    }

    /** Names that lead to no index now. Patterns and names with dates may lead to one later. */
    private List<String> missing(List<String> names) {
        Set<String> known = metadata.get().getIndicesLookup().keySet();
        return names.stream()
                .filter(name -> name.startsWith("<") == false
                        && name.startsWith("-") == false
                        && name.equals(Metadata.ALL) == false
                        && Regex.isSimpleMatchPattern(name) == false
                        && known.contains(name) == false)
                .toList();
    }
}
