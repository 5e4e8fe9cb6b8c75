/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.opensearch.cluster.ClusterState;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.PipelineConfiguration;
import org.opensearch.ingest.PipelineProcessor;

/**
 * Which pipelines an ingest pipeline calls. The processor does not show their names; the pipeline's definition does, which is
 * JSON, with lists of feature weights megabytes of it. So each definition is parsed once, and what it calls is kept until any
 * pipeline changes. Thread-safe.
 */
final class PipelineCalls {

    /** Called pipelines by the one that calls, as far as somebody asked; {@code definitions} are those of one cluster state. */
    private record Known(IngestMetadata definitions, Map<String, List<String>> calls) {}

    private final Function<PipelineConfiguration, Map<String, Object>> parser;

    private volatile Known known = new Known(null, Map.of());

    PipelineCalls() {
        this(PipelineConfiguration::getConfigAsMap);
    }

    /** @param parser what reads a definition */
    PipelineCalls(Function<PipelineConfiguration, Map<String, Object>> parser) {
        this.parser = parser;
    }

    /** Names of the pipelines that are called from the top level of another, in their order; none when there is no such pipeline. */
    @SuppressWarnings("ReferenceEquality") // to compare definitions by value is to parse them
    List<String> of(ClusterState state, String id) {
        IngestMetadata definitions = state.metadata().custom(IngestMetadata.TYPE);
        PipelineConfiguration definition =
                definitions == null ? null : definitions.getPipelines().get(id);
        if (definition == null) {
            return List.of();
        }
        Known current = known;
        if (current.definitions != definitions) {
            current = new Known(definitions, new ConcurrentHashMap<>());
            known = current;
        }
        return current.calls.computeIfAbsent(id, i -> calledBy(definition));
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
}
