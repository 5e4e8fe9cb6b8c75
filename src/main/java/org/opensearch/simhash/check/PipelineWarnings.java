/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.opensearch.OpenSearchParseException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ingest.PutPipelineRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.logging.HeaderWarning;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;

/**
 * Adds a {@code Warning} header to the answer of {@code PUT _ingest/pipeline}, if no step before {@code near_duplicate} writes
 * its field. Stores the pipeline all the same, because another one may write the field.
 *
 * @param metadata null until the node is up
 */
public record PipelineWarnings(Supplier<Metadata> metadata) implements ActionFilter {

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
        if (request instanceof PutPipelineRequest put) {
            warning(put).ifPresent(HeaderWarning::addWarning);
        }
        chain.proceed(task, action, request, listener);
    }

    private Optional<String> warning(PutPipelineRequest put) {
        Map<String, Object> definition;
        try {
            definition = XContentHelper.convertToMap(put.getSource(), false, put.getMediaType())
                    .v2();
        } catch (OpenSearchParseException e) {
            return Optional.empty(); // OpenSearch refuses it.
        }
        Map<String, Map<String, Object>> changed = new HashMap<>();
        changed.put(put.getId(), definition);
        List<Step> steps = new PipelineSteps(metadata.get(), changed).of(List.of(put.getId()));
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step.isNearDuplicate() && steps.subList(0, i).stream().noneMatch(other -> other.writesFor(step))) {
                return Optional.of("[near_duplicate] of pipeline [" + put.getId() + "] reads ["
                        + step.nearDuplicateField() + "], but no processor before it writes that:"
                        + " it finds nothing unless another pipeline or the client does");
            }
        }
        return Optional.empty();
    }
}
