/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.opensearch.ingest.CompoundProcessor;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.ingest.IngestService;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.PipelineConfiguration;
import org.opensearch.ingest.PipelineProcessor;
import org.opensearch.ingest.Processor;
import org.opensearch.ingest.WrappingProcessor;
import org.opensearch.simhash.core.fingerprint.SketchKind;

/**
 * The fingerprint processors of the node's pipelines. Which pipelines a pipeline calls is only in its definition, which may be megabytes of
 * JSON. So each definition is parsed once, on demand, and the result is kept until a pipeline changes. Thread-safe.
 */
final class PipelineProcessors {

    private final Supplier<IngestService> ingestService;
    private final SketchKind kind;
    private final Function<PipelineConfiguration, Map<String, Object>> parser;
    private volatile Known known = new Known(null);

    /** Results for the pipelines of one cluster state. */
    private static final class Known {
        private final IngestMetadata definitions;
        private final Map<String, List<String>> calls = new ConcurrentHashMap<>();
        private volatile List<TextProcessor> all;

        /** @param definitions null if there have never been any */
        Known(IngestMetadata definitions) {
            this.definitions = definitions;
        }

        Map<String, PipelineConfiguration> pipelines() {
            return definitions == null ? Map.of() : definitions.getPipelines();
        }
    }

    PipelineProcessors(Supplier<IngestService> ingestService, SketchKind kind) {
        this(ingestService, kind, PipelineConfiguration::getConfigAsMap);
    }

    PipelineProcessors(
            Supplier<IngestService> ingestService,
            SketchKind kind,
            Function<PipelineConfiguration, Map<String, Object>> parser) {
        this.ingestService = ingestService;
        this.kind = kind;
        this.parser = parser;
    }

    /** The wanted processors in all pipelines. Cached: a percolator asks for each of its queries. */
    List<TextProcessor> all() {
        Known now = known();
        if (now.all == null) {
            List<FingerprintProcessor> found = new ArrayList<>();
            // A called pipeline is itself in this set.
            now.pipelines().keySet().forEach(id -> collect(id, found));
            now.all = ofTexts(found);
        }
        return now.all;
    }

    /** The wanted ones among {@code processors}. */
    List<TextProcessor> ofTexts(List<FingerprintProcessor> processors) {
        return processors.stream()
                .filter(processor -> TextProcessor.isOf(kind, processor))
                .map(TextProcessor.class::cast)
                .toList();
    }

    /** The processors of a pipeline and of those that it calls; empty for an unknown pipeline. */
    List<FingerprintProcessor> of(String pipeline) {
        List<FingerprintProcessor> found = new ArrayList<>();
        collect(pipeline, found, new HashSet<>());
        return found;
    }

    private void collect(String id, List<FingerprintProcessor> found, Set<String> visited) {
        if (visited.add(id)) {
            collect(id, found);
            calledBy(id).forEach(called -> collect(called, found, visited));
        }
    }

    private void collect(String id, List<FingerprintProcessor> found) {
        Pipeline pipeline = ingestService.get().getPipeline(id);
        if (pipeline != null) {
            pipeline.flattenAllProcessors().forEach(processor -> unwrap(processor, found));
        }
    }

    /** Conditions and failure handlers wrap a processor. */
    private static void unwrap(Processor processor, List<FingerprintProcessor> found) {
        switch (processor) {
            case FingerprintProcessor ours -> found.add(ours);
            case WrappingProcessor wrapping -> unwrap(wrapping.getInnerProcessor(), found);
            case CompoundProcessor compound -> compound.flattenProcessors().forEach(inner -> unwrap(inner, found));
            default -> {}
        }
    }

    /** Names of the pipelines called at the top level, in order; empty for an unknown pipeline. */
    List<String> calledBy(String id) {
        Known now = known();
        PipelineConfiguration definition = now.pipelines().get(id);
        return definition == null ? List.of() : now.calls.computeIfAbsent(id, any -> calledBy(definition));
    }

    private List<String> calledBy(PipelineConfiguration definition) {
        List<String> called = new ArrayList<>();
        if (parser.apply(definition).get(Pipeline.PROCESSORS_KEY) instanceof List<?> processors) {
            for (Object processor : processors) {
                if (processor instanceof Map<?, ?> byType
                        && byType.get(PipelineProcessor.TYPE) instanceof Map<?, ?> options
                        && options.get("name") instanceof String name) {
                    called.add(name);
                }
            }
        }
        return List.copyOf(called);
    }

    @SuppressWarnings("ReferenceEquality") // comparing definitions by value would parse them
    private Known known() {
        IngestMetadata definitions =
                ingestService.get().getClusterService().state().metadata().custom(IngestMetadata.TYPE);
        Known current = known;
        if (definitions != current.definitions) {
            current = new Known(definitions);
            known = current;
        }
        return current;
    }
}
