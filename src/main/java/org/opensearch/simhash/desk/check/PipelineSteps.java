/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.action.ingest.SimulateDocumentResult;
import org.opensearch.action.ingest.SimulatePipelineRequest;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.PipelineConfiguration;
import org.opensearch.ingest.PipelineProcessor;
import org.opensearch.simhash.search.warnings.RequestWarnings;
import org.opensearch.transport.client.Client;

/** The pipelines of the cluster as sequences of steps. Parses each pipeline once. One thread. */
public final class PipelineSteps {

    /** Two calls in each of 25 pipelines would be millions; what comes behind is not looked at. */
    private static final int MOST_STEPS = 10_000;

    private final Metadata metadata;
    private final Map<String, PipelineConfiguration> definitions;
    private final Map<String, Map<String, Object>> parsed = new HashMap<>();

    public PipelineSteps(Metadata metadata) {
        this(metadata, Map.of());
    }

    /** @param changed definitions that replace those of the cluster */
    public PipelineSteps(Metadata metadata, Map<String, Map<String, Object>> changed) {
        this.metadata = metadata;
        parsed.putAll(changed);
        IngestMetadata ingest = metadata.custom(IngestMetadata.TYPE);
        this.definitions = ingest == null ? Map.of() : ingest.getPipelines();
    }

    Set<String> names() {
        return new TreeSet<>(definitions.keySet());
    }

    public boolean has(String pipeline) {
        return parsed.containsKey(pipeline) || definitions.containsKey(pipeline);
    }

    /** Do not change it. */
    public Map<String, Object> definition(String pipeline) {
        return parsed.computeIfAbsent(pipeline, name -> definitions.get(name).getConfigAsMap());
    }

    List<?> processors(String pipeline) {
        return (List<?>) definition(pipeline).get(Pipeline.PROCESSORS_KEY);
    }

    Map<String, Object> with(String pipeline, List<Object> processors) {
        return MendingRequest.with(definition(pipeline), Pipeline.PROCESSORS_KEY, processors);
    }

    /** The request that changes a step; a sentence instead if the step is inside another one, or other indices use the pipeline. */
    String changed(CheckedIndex index, Step step, Map<String, ?> options) {
        Map<String, Object> changed = new LinkedHashMap<>(step.options());
        changed.putAll(options);
        Map<String, Object> definition = with(List.of(index), step, changed);
        return definition == null
                ? "Set " + options + " in [" + step.type() + "] of pipeline [" + step.pipeline() + "]."
                        + (isOnlyOf(List.of(index), step.pipeline()) ? "" : " Other indices use that pipeline, too.")
                : MendingRequest.putPipeline(step.pipeline(), definition);
    }

    /** Its pipeline with other options of a step; null if the step is inside another one, or other indices use the pipeline. */
    public Map<String, Object> with(List<CheckedIndex> indices, Step step, Map<String, Object> options) {
        List<Object> processors = new ArrayList<>(processors(step.pipeline()));
        Map<?, ?> processor = (Map<?, ?>) processors.get(step.position());
        if (processor.containsKey(step.type()) == false || isOnlyOf(indices, step.pipeline()) == false) {
            return null;
        }
        processors.set(step.position(), MendingRequest.with(processor, step.type(), options));
        return with(step.pipeline(), processors);
    }

    /** Whether no other index uses the pipeline, directly or through another pipeline. A data stream counts as one index. */
    boolean isOnlyOf(List<CheckedIndex> indices, String pipeline) {
        Set<String> own = new TreeSet<>();
        indices.forEach(index -> own.add(named(index.metadata())));
        Set<String> others = new TreeSet<>();
        for (IndexMetadata other : metadata.indices().values()) {
            if (own.contains(named(other)) == false) {
                others.add(IndexSettings.DEFAULT_PIPELINE.get(other.getSettings()));
                others.add(IndexSettings.FINAL_PIPELINE.get(other.getSettings()));
            }
        }
        return others.stream()
                .noneMatch(other -> other.equals(pipeline)
                        || of(List.of(other)).stream()
                                .anyMatch(step -> step.pipeline().equals(pipeline)));
    }

    /** The name of its data stream, else its own. */
    String named(IndexMetadata index) {
        String name = index.getIndex().getName();
        IndexAbstraction stream = metadata.getIndicesLookup().get(name).getParentDataStream();
        return stream == null ? name : stream.getName();
    }

    /** The request that sets up an index, or the data stream that it is in. */
    String setup(CheckedIndex index, String type, Map<String, Object> options) {
        Map<String, Object> setup = new LinkedHashMap<>();
        setup.put("sketch", type);
        setup.put("target_field", index.fingerprint());
        setup.putAll(options);
        setup.put("apply", true);
        return MendingRequest.of("POST", "/_plugins/_simhash/setup/" + named(index.metadata()), setup);
    }

    /** What a pipeline makes of documents. Nobody hears warnings of it. Blocks. */
    public static List<SimulateDocumentResult> simulated(
            Client client, Map<String, Object> pipeline, List<Map<String, Object>> documents) {
        SimulatePipelineRequest request = new SimulatePipelineRequest(
                MendingRequest.json(Map.of("pipeline", pipeline, "docs", documents)), MediaTypeRegistry.JSON);
        return RequestWarnings.unheard(
                client.threadPool().getThreadContext(),
                () -> client.admin()
                        .cluster()
                        .simulatePipeline(request)
                        .actionGet()
                        .getResults());
    }

    public String unused(String name) {
        String unused = name;
        for (int i = 2; has(unused); i++) {
            unused = name + "-" + i;
        }
        return unused;
    }

    /** A called pipeline adds its steps in the place of the call. */
    public List<Step> of(List<String> pipelines) {
        List<Step> steps = new ArrayList<>();
        pipelines.forEach(pipeline -> collect(pipeline, Around.NOTHING, new HashSet<>(), steps));
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).type().equals("rename")) {
                rename(steps.get(i), steps.subList(0, i));
            }
        }
        return steps;
    }

    /** What a step is inside of: the path of the array of a {@code foreach}, or null. */
    private record Around(String element, boolean isConditional) {

        static final Around NOTHING = new Around(null, false);

        Around of(Map<?, ?> options) {
            return new Around(element, isConditional || options.get("if") != null);
        }

        Around foreach(Step step) {
            return new Around(step.path(step.option("field", "")), isConditional);
        }
    }

    private static void rename(Step rename, List<Step> before) {
        String from = rename.option("field", "");
        before.replaceAll(step -> step.isWriter() && step.target().equals(from)
                ? step.renamed(rename.option("target_field", from))
                : step);
    }

    private void collect(String pipeline, Around around, Set<String> calling, List<Step> steps) {
        if (steps.size() >= MOST_STEPS || has(pipeline) == false || calling.add(pipeline) == false) {
            return;
        }
        if (definition(pipeline).get(Pipeline.PROCESSORS_KEY) instanceof List<?> processors) {
            for (int i = 0; i < processors.size(); i++) {
                collect(pipeline, i, processors.get(i), around, calling, steps);
            }
        }
        calling.remove(pipeline);
    }

    @SuppressWarnings("unchecked") // as parsed from JSON
    private void collect(
            String pipeline, int position, Object processor, Around around, Set<String> calling, List<Step> steps) {
        if (processor instanceof Map<?, ?> byType) {
            byType.forEach((type, options) -> {
                if (options instanceof Map<?, ?> typed) {
                    Around here = around.of(typed);
                    Step step = new Step(
                            pipeline,
                            position,
                            String.valueOf(type),
                            (Map<String, Object>) typed,
                            here.element(),
                            here.isConditional(),
                            null);
                    steps.add(step);
                    if (PipelineProcessor.TYPE.equals(type) && typed.get("name") instanceof String called) {
                        collect(called, here, calling, steps);
                    }
                    collect(pipeline, position, typed.get("processor"), here.foreach(step), calling, steps);
                }
            });
        }
    }
}
