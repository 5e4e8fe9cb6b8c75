/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.PipelineConfiguration;
import org.opensearch.ingest.PipelineProcessor;

/** The pipelines of the cluster, each parsed once, as sequences of steps. One thread. */
final class PipelineSteps {

    private final Map<String, PipelineConfiguration> definitions;
    private final Map<String, Map<String, Object>> parsed = new HashMap<>();

    PipelineSteps(Metadata metadata) {
        this(metadata, Map.of());
    }

    /** @param changed definitions that take the place of those in the cluster */
    PipelineSteps(Metadata metadata, Map<String, Map<String, Object>> changed) {
        parsed.putAll(changed);
        IngestMetadata ingest = metadata.custom(IngestMetadata.TYPE);
        this.definitions = ingest == null ? Map.of() : ingest.getPipelines();
    }

    Set<String> names() {
        return new TreeSet<>(definitions.keySet());
    }

    boolean has(String pipeline) {
        return parsed.containsKey(pipeline) || definitions.containsKey(pipeline);
    }

    /** As it was put; not to be changed. */
    Map<String, Object> definition(String pipeline) {
        return parsed.computeIfAbsent(pipeline, name -> definitions.get(name).getConfigAsMap());
    }

    /** The steps of some pipelines one after the other, with those of the pipelines that they call in their places. */
    List<Step> of(List<String> pipelines) {
        List<Step> steps = new ArrayList<>();
        pipelines.forEach(pipeline -> collect(pipeline, new HashSet<>(), steps));
        return steps;
    }

    private void collect(String pipeline, Set<String> calling, List<Step> steps) {
        if (has(pipeline) == false || calling.add(pipeline) == false) {
            return;
        }
        if (definition(pipeline).get(Pipeline.PROCESSORS_KEY) instanceof List<?> processors) {
            for (int i = 0; i < processors.size(); i++) {
                collect(pipeline, i, processors.get(i), calling, steps);
            }
        }
        calling.remove(pipeline);
    }

    private void collect(String pipeline, int position, Object processor, Set<String> calling, List<Step> steps) {
        if (processor instanceof Map<?, ?> byType) {
            byType.forEach((type, options) -> {
                if (options instanceof Map<?, ?> typed) {
                    steps.add(new Step(pipeline, position, String.valueOf(type), typed));
                    if (PipelineProcessor.TYPE.equals(type) && typed.get("name") instanceof String called) {
                        collect(called, calling, steps);
                    }
                    // A foreach has a processor inside.
                    collect(pipeline, position, typed.get("processor"), calling, steps);
                }
            });
        }
    }
}
