/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Setting;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestService;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.PipelineConfiguration;
import org.opensearch.ingest.PipelineProcessor;
import org.opensearch.simhash.fingerprint.Fingerprinter;

/**
 * Finds the recipe by which documents of an index were fingerprinted: that of the {@code simhash} processor in its ingest
 * pipelines, or in pipelines that these call. Reads the node's live pipelines: a changed pipeline is seen at once.
 */
public final class PipelineRecipes {

    /** Those that every processor has: of no matter to the recipe. */
    private static final Set<String> STANDARD_OPTIONS =
            Set.of("tag", "description", "if", "ignore_failure", "on_failure");

    private final Supplier<IngestService> ingestService;
    private final Supplier<SimHashProcessor.Factory> factory;

    public PipelineRecipes(Supplier<IngestService> ingestService, Supplier<SimHashProcessor.Factory> factory) {
        this.ingestService = ingestService;
        this.factory = factory;
    }

    /**
     * The recipe of a pipeline: of its processor that writes the field, or else of its only one.
     *
     * @throws IllegalArgumentException when there is no such pipeline or no such processor in it
     */
    public Fingerprinter ofPipeline(String pipeline, String field) {
        if (ingestService.get().getPipeline(pipeline) == null) {
            throw new IllegalArgumentException("[pipeline] must be an existing ingest pipeline, got: " + pipeline);
        }
        List<SimHashProcessor> processors = processors(pipeline);
        for (SimHashProcessor processor : processors) {
            if (processor.targetField().equals(field)) {
                return processor.fingerprinter();
            }
        }
        if (processors.size() != 1) {
            throw new IllegalArgumentException(
                    "[pipeline] must have a [simhash] processor with target_field [" + field + "], got: " + pipeline);
        }
        return processors.getFirst().fingerprinter();
    }

    /**
     * The recipes that write a field in the given indices, each once: of an index's default pipeline, else of its final one.
     *
     * @throws IllegalArgumentException when no index has any
     */
    public Collection<Fingerprinter> ofIndices(Collection<String> indices, String field) {
        Map<String, Fingerprinter> byScheme = new LinkedHashMap<>();
        for (String index : indices) {
            ofIndex(index, field)
                    .ifPresent(fingerprinter -> byScheme.putIfAbsent(fingerprinter.scheme(), fingerprinter));
        }
        if (byScheme.isEmpty()) {
            throw new IllegalArgumentException("no ingest pipeline with a [simhash] processor for field [" + field
                    + "] found for " + indices
                    + ": set [pipeline] in the query, or [index.default_pipeline] of the index");
        }
        return byScheme.values();
    }

    /**
     * The recipe of a processor's options, as they would stand in a pipeline.
     *
     * @throws org.opensearch.OpenSearchParseException when a pipeline with them would be refused
     */
    public Fingerprinter ofOptions(Map<String, Object> options) {
        Map<String, Object> remaining = new HashMap<>(options);
        STANDARD_OPTIONS.forEach(remaining::remove);
        Fingerprinter fingerprinter =
                factory.get().create(Map.of(), null, null, remaining).fingerprinter();
        if (remaining.isEmpty() == false) {
            throw new IllegalArgumentException(
                    "[config] must hold options of the [simhash] processor, got: " + new TreeSet<>(remaining.keySet()));
        }
        return fingerprinter;
    }

    /** The recipe that writes a field in an index, if any: of its default pipeline, else of its final one. */
    public Optional<Fingerprinter> ofIndex(String index, String field) {
        IndexMetadata metadata =
                ingestService.get().getClusterService().state().metadata().index(index);
        if (metadata == null) {
            return Optional.empty();
        }
        for (Setting<String> setting : List.of(IndexSettings.DEFAULT_PIPELINE, IndexSettings.FINAL_PIPELINE)) {
            for (SimHashProcessor processor : processors(setting.get(metadata.getSettings()))) {
                if (processor.targetField().equals(field)) {
                    return Optional.of(processor.fingerprinter());
                }
            }
        }
        return Optional.empty();
    }

    private List<SimHashProcessor> processors(String pipeline) {
        List<SimHashProcessor> found = new ArrayList<>();
        collect(pipeline, found, new HashSet<>());
        return found;
    }

    private void collect(String id, List<SimHashProcessor> found, Set<String> visited) {
        Pipeline pipeline = ingestService.get().getPipeline(id);
        if (pipeline == null || visited.add(id) == false) {
            return;
        }
        pipeline.flattenAllProcessors().stream()
                .filter(SimHashProcessor.class::isInstance)
                .map(SimHashProcessor.class::cast)
                .forEach(found::add);
        calledBy(id).forEach(called -> collect(called, found, visited));
    }

    /** The name is a template that the processor does not show; the pipeline's definition does. */
    private List<String> calledBy(String id) {
        List<String> called = new ArrayList<>();
        for (PipelineConfiguration definition : IngestService.getPipelines(
                ingestService.get().getClusterService().state(), id)) {
            if (definition.getConfigAsMap().get(Pipeline.PROCESSORS_KEY) instanceof List<?> processors) {
                for (Object processor : processors) {
                    if (processor instanceof Map<?, ?> byType
                            && byType.get(PipelineProcessor.TYPE) instanceof Map<?, ?> options
                            && options.get("name") instanceof String name) {
                        called.add(name);
                    }
                }
            }
        }
        return called;
    }
}
