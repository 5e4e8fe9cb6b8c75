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
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.simhash.nearduplicate.NearDuplicateSettings;
import org.opensearch.simhash.nearduplicate.decision.DuplicateRule;
import org.opensearch.tasks.Task;

/**
 * Adds a {@code Warning} header to the answer of {@code PUT _ingest/pipeline}, if no step before {@code near_duplicate} writes
 * its field. Stores the pipeline all the same, because another one may write the field. Refuses what the processor alone cannot
 * see: limits that depend on what makes the fingerprints.
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
            List<Step> steps = steps(put);
            PipelineSteps stored = new PipelineSteps(metadata.get());
            steps.stream().filter(Step::isNearDuplicate).forEach(step -> requireLimits(step, steps, stored));
            warning(put, steps).ifPresent(HeaderWarning::addWarning);
        }
        chain.proceed(task, action, request, listener);
    }

    /** Empty if OpenSearch refuses the definition. */
    private List<Step> steps(PutPipelineRequest put) {
        Map<String, Object> definition;
        try {
            definition = XContentHelper.convertToMap(put.getSource(), false, put.getMediaType())
                    .v2();
        } catch (OpenSearchParseException e) {
            return List.of();
        }
        Map<String, Map<String, Object>> changed = new HashMap<>();
        changed.put(put.getId(), definition);
        return new PipelineSteps(metadata.get(), changed).of(List.of(put.getId()));
    }

    /**
     * Refuses a {@code near_duplicate} for which documents end, if it compares fingerprints that are not made of text as
     * texts, or texts by too many bits. Only the pipelines tell what makes the fingerprints.
     *
     * @throws IllegalArgumentException naming the option, the rule and the value
     */
    private void requireLimits(Step step, List<Step> steps, PipelineSteps stored) {
        String action = String.valueOf(step.options().get("action"));
        boolean mayEnd = step.options().get("action") != null && action.equals("tag") == false;
        if (mayEnd == false || step.nearDuplicateKind() != CheckedKind.FINGERPRINT) {
            return;
        }
        List<Step> writers =
                steps.stream().filter(other -> other.writesFor(step)).toList();
        if (writers.isEmpty()) {
            writers = stored.of(List.copyOf(stored.names())).stream()
                    .filter(other -> other.writesFor(step))
                    .toList();
        }
        boolean isOfText = writers.isEmpty() || writers.stream().anyMatch(Step::readsTexts);
        boolean verifies = "false".equals(String.valueOf(step.options().get("verify"))) == false;
        if (verifies && isOfText == false) {
            throw new IllegalArgumentException("[verify] must be false with [action] [" + action + "] where ["
                    + step.nearDuplicateField() + "] is not made of text, as by ["
                    + writers.getFirst().type() + "], got: " + step.options().get("verify"));
        }
        Settings cluster = metadata.get().settings();
        boolean isOfCluster = NearDuplicateSettings.MAX_DISTANCE.exists(cluster);
        Object distance = step.options().get("max_distance");
        if (distance == null && isOfCluster) {
            distance = NearDuplicateSettings.MAX_DISTANCE.get(cluster);
        }
        if (verifies == false && isOfText && isAbove(distance, DuplicateRule.MOST_BITS_UNVERIFIED)) {
            throw new IllegalArgumentException("[max_distance] must be between 0 and "
                    + DuplicateRule.MOST_BITS_UNVERIFIED + " with [action] [" + action
                    + "] and [verify] false, got: " + distance
                    + (step.options().get("max_distance") == null
                            ? ", from [" + NearDuplicateSettings.MAX_DISTANCE.getKey() + "]"
                            : ""));
        }
    }

    /** Something else than a number is refused elsewhere. */
    private static boolean isAbove(Object distance, int most) {
        try {
            return distance != null && Double.parseDouble(distance.toString()) > most;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static Optional<String> warning(PutPipelineRequest put, List<Step> steps) {
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
