/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.opensearch.ingest.CompoundProcessor;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.ingest.IngestService;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.Processor;
import org.opensearch.ingest.WrappingProcessor;

/** The {@code simhash} processors in the node's live pipelines. Thread-safe. */
final class PipelineProcessors {

    private final Supplier<IngestService> ingestService;
    private final PipelineCalls calls = new PipelineCalls();
    private volatile All all = new All(null, List.of());

    /** The processors of all pipelines of one cluster state. */
    private record All(IngestMetadata definitions, List<SimHashProcessor> processors) {}

    PipelineProcessors(Supplier<IngestService> ingestService) {
        this.ingestService = ingestService;
    }

    /** Those of all pipelines. Costs next to nothing until one changes: a percolator asks for each of its queries. */
    @SuppressWarnings("ReferenceEquality") // to compare definitions by value is to parse them
    List<SimHashProcessor> all() {
        IngestMetadata definitions =
                ingestService.get().getClusterService().state().metadata().custom(IngestMetadata.TYPE);
        All current = all;
        if (definitions != current.definitions) {
            List<SimHashProcessor> found = new ArrayList<>();
            // What a pipeline calls is one of them.
            definitions.getPipelines().keySet().forEach(id -> collect(id, found));
            current = new All(definitions, List.copyOf(found));
            all = current;
        }
        return current.processors;
    }

    /** Those of a pipeline, and of those that it calls; none when there is no such pipeline. */
    List<SimHashProcessor> of(String pipeline) {
        List<SimHashProcessor> found = new ArrayList<>();
        collect(pipeline, found, new HashSet<>());
        return found;
    }

    private void collect(String id, List<SimHashProcessor> found, Set<String> visited) {
        if (visited.add(id) == false) {
            return;
        }
        collect(id, found);
        calls.of(ingestService.get().getClusterService().state(), id)
                .forEach(called -> collect(called, found, visited));
    }

    private void collect(String id, List<SimHashProcessor> found) {
        Pipeline pipeline = ingestService.get().getPipeline(id);
        if (pipeline != null) {
            pipeline.flattenAllProcessors().forEach(processor -> unwrap(processor, found));
        }
    }

    /** A processor with a condition, or with failures to be handled, is inside another. */
    private static void unwrap(Processor processor, List<SimHashProcessor> found) {
        switch (processor) {
            case SimHashProcessor ours -> found.add(ours);
            case WrappingProcessor wrapping -> unwrap(wrapping.getInnerProcessor(), found);
            case CompoundProcessor compound -> compound.flattenProcessors().forEach(inner -> unwrap(inner, found));
            default -> {}
        }
    }
}
