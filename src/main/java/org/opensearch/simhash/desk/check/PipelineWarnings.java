/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.admin.cluster.settings.ClusterUpdateSettingsRequest;
import org.opensearch.action.ingest.PutPipelineRequest;
import org.opensearch.action.ingest.SimulatePipelineRequest;
import org.opensearch.action.search.PutSearchPipelineRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.logging.HeaderWarning;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.index.reindex.UpdateByQueryRequest;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.arrivals.NearDuplicateSettings;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.desk.check.MendingRequest.MendRoute;
import org.opensearch.simhash.jobs.script.DocumentScript;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.simhash.search.warnings.RequestFilter;
import org.opensearch.transport.client.Client;

/**
 * Warns of a stored pipeline whose {@code near_duplicate} has nothing to read or to compare with yet. Refuses processors that are
 * no objects, tags over what is read, limits that depend on what makes the fingerprints, and a mend that nobody can do.
 *
 * @param cluster null until the node is up; as the client
 */
public record PipelineWarnings(Supplier<SearchedIndices.Cluster> cluster, Supplier<Client> client)
        implements RequestFilter {

    private static final Set<String> LISTS =
            Set.of("processors", "on_failure", "request_processors", "response_processors", "phase_results_processors");

    /** With a processor inside; in {@code _simulate}, {@code pipeline} has one. */
    private static final String PROCESSOR = "processor";

    private static final String PIPELINE = "pipeline";

    private static final List<String> READ = List.of("field", "fields", "language_field", "hash_field");

    @Override
    public <R> void filter(
            String action, ActionRequest request, ActionListener<R> listener, Consumer<ActionListener<R>> proceed) {
        if (request instanceof UpdateByQueryRequest update && DocumentScript.isMend(update.getScript())) {
            client.get().threadPool().generic().execute(ActionRunnable.wrap(listener, answered -> {
                MendRoute.prepare(update, cluster.get(), client.get());
                proceed.accept(answered);
            }));
            return;
        }
        try {
            requireProcessors(request);
            if (request instanceof PutPipelineRequest put) {
                List<Step> steps = steps(put);
                PipelineSteps stored = new PipelineSteps(metadata());
                for (Step step : steps.stream().filter(Step::isNearDuplicate).toList()) {
                    requireApart(step, steps);
                    requireLimits(step, steps, stored, metadata().settings());
                }
                warnings(put, steps).forEach(HeaderWarning::addWarning);
            } else if (request instanceof ClusterUpdateSettingsRequest update) {
                requireLimits(update);
            }
        } catch (IllegalArgumentException e) {
            listener.onFailure(e);
            return;
        }
        proceed.accept(listener);
    }

    private Metadata metadata() {
        return cluster.get().service().state().metadata();
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
                    processors.forEach(processor -> requireProcessor(name, processor, withOptions, withOptions));
                } else if (PROCESSOR.equals(name)) {
                    requireProcessor(name, value, true, withOptions);
                } else if (PIPELINE.equals(name)) {
                    requireProcessors(value, withOptions);
                }
            });
        }
    }

    private static void requireProcessor(Object list, Object processor, boolean isStrict, boolean withOptions) {
        boolean isObject = processor instanceof Map<?, ?> byType
                && (isStrict == false || byType.values().stream().allMatch(Map.class::isInstance));
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

    /** Empty if OpenSearch refuses the definition. */
    private List<Step> steps(PutPipelineRequest put) {
        Map<String, Object> definition = definition(put.getSource(), put.getMediaType());
        return new PipelineSteps(metadata(), Map.of(put.getId(), definition)).of(List.of(put.getId()));
    }

    /** Refuses a tag that would overwrite, or be in, what another step reads. */
    private static void requireApart(Step step, List<Step> steps) {
        String target = step.option("target_field", NearDuplicateProcessor.TYPE);
        for (Step writer : steps.stream().filter(Step::isWriter).toList()) {
            for (String path : writer.paths(READ)) {
                if (ProcessorOptions.isWithin(path, target) || ProcessorOptions.isWithin(target, path)) {
                    throw new IllegalArgumentException("[target_field] must be apart from [" + path + "], which ["
                            + writer.type() + "] reads, got: " + target);
                }
            }
        }
    }

    /** Refuses limits of the cluster by which too different documents would end in a stored pipeline. */
    private void requireLimits(ClusterUpdateSettingsRequest update) {
        Settings.Builder changed = Settings.builder();
        for (Setting<?> limit : List.of(NearDuplicateSettings.MAX_DISTANCE, NearDuplicateSettings.MIN_SIMILARITY)) {
            for (Settings given : List.of(update.persistentSettings(), update.transientSettings())) {
                if (given.get(limit.getKey()) != null) {
                    changed.put(limit.getKey(), given.get(limit.getKey()));
                }
            }
        }
        if (changed.keys().isEmpty()) {
            return;
        }
        PipelineSteps stored = new PipelineSteps(metadata());
        for (String pipeline : stored.names()) {
            List<Step> steps = stored.of(List.of(pipeline));
            steps.stream()
                    .filter(Step::isNearDuplicate)
                    .forEach(step -> requireLimits(step, steps, stored, changed.build()));
        }
    }

    /**
     * Refuses a {@code near_duplicate} for which documents end, if it compares what is not made of text as texts, or by too much. Only
     * the pipelines tell what makes the fingerprints. The limits of the cluster count where the step has none.
     */
    private static void requireLimits(Step step, List<Step> steps, PipelineSteps stored, Settings cluster) {
        String action = String.valueOf(step.options().get("action"));
        if (step.options().get("action") == null || action.equals("tag")) {
            return;
        }
        Object verify = step.options().get("verify");
        boolean verifies = "false".equals(String.valueOf(verify)) == false;
        boolean isOfSketches = step.nearDuplicateKind() == CheckedKind.SKETCH;
        Map<?, ?> similar = verifies ? verify instanceof Map<?, ?> typed ? typed : Map.of() : step.options();
        Setting<Double> least = NearDuplicateSettings.MIN_SIMILARITY;
        boolean isOfCluster = similar.get("min_similarity") == null && (verifies || isOfSketches);
        if (isOfCluster) {
            EndRule.requireSimilarity(
                    "[" + least.getKey() + "]",
                    "[" + action + "]",
                    cluster.get(least.getKey()),
                    " in pipeline [" + step.pipeline() + "]");
        }
        if (isOfSketches) {
            return;
        }
        List<Step> writers =
                steps.stream().filter(other -> other.writesFor(step)).toList();
        boolean isSureNotOfText = writers.isEmpty() == false && writers.stream().noneMatch(Step::readsTexts);
        if (verifies && isSureNotOfText) {
            throw new IllegalArgumentException("[verify] must be false" + whereNotOfText(step, writers) + verify);
        }
        Object ownWords = step.options().get("max_own_words");
        if (isSureNotOfText && ownWords != null && ownWords.toString().equals("-1") == false) {
            throw new IllegalArgumentException(
                    "[max_own_words] must be absent or -1" + whereNotOfText(step, writers) + ownWords);
        }
        if (writers.isEmpty()) {
            // Those of another pipeline of the document, perhaps.
            writers = stored.names().stream()
                    .flatMap(name -> stored.of(List.of(name)).stream())
                    .filter(other -> other.writesFor(step))
                    .toList();
        }
        boolean isOfText = writers.isEmpty() || writers.stream().anyMatch(Step::readsTexts);
        String limit = NearDuplicateSettings.MAX_DISTANCE.getKey();
        boolean isOwn = step.options().get("max_distance") != null;
        Object distance = isOwn ? step.options().get("max_distance") : cluster.get(limit);
        int length = isOfText
                ? Long.SIZE
                : writers.stream().mapToInt(Step::length).max().getAsInt();
        String from = isOwn ? "" : ", from [" + limit + "]";
        EndRule.requireBits("[" + action + "]", distance, length, verifies, isOfText, from);
    }

    private static String whereNotOfText(Step step, List<Step> writers) {
        return " with [action] [" + step.options().get("action") + "] where [" + step.nearDuplicateField()
                + "] is not made of text, as by [" + writers.getFirst().type() + "], got: ";
    }

    private List<String> warnings(PutPipelineRequest put, List<Step> steps) {
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
        Set<String> known = metadata().getIndicesLookup().keySet();
        return names.stream()
                .filter(name -> name.startsWith("<") == false
                        && name.startsWith("-") == false
                        && name.equals(Metadata.ALL) == false
                        && Regex.isSimpleMatchPattern(name) == false
                        && known.contains(name) == false)
                .toList();
    }
}
