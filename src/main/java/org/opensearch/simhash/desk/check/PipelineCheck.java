/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestService;
import org.opensearch.simhash.desk.check.Finding.Severity;

/**
 * Checks whether the pipelines of an index write fingerprints before any step reads them.
 *
 * @param documents null if they are not known
 * @param writing makes what is missing
 */
record PipelineCheck(
        CheckedIndex index,
        PipelineSteps pipelines,
        DocumentCounts documents,
        WritingPipeline writing,
        Findings found) {

    void find() {
        if (index.writer().isEmpty() && index.steps().stream().noneMatch(Step::isNearDuplicate)) {
            addNoPipeline();
            return;
        }
        boolean isOrdered = findOrder() == false;
        if (index.writer().isEmpty() && isOrdered) {
            addNoPipeline();
        }
    }

    private void addNoPipeline() {
        boolean isNone = documents != null && documents.counts().fingerprinted() == 0;
        Map<String, String> missing = new TreeMap<>();
        index.defaultPipeline().ifPresent(name -> missing.put(IndexSettings.DEFAULT_PIPELINE.getKey(), name));
        index.finalPipeline().ifPresent(name -> missing.put(IndexSettings.FINAL_PIPELINE.getKey(), name));
        missing.values().removeIf(pipelines::has);
        String message = missing.isEmpty()
                ? "no pipeline of the index has a [" + index.kind().processor() + "] processor that writes ["
                        + index.fingerprint() + "]: documents get no "
                        + index.kind().noun() + " unless a request names a pipeline"
                : "the pipelines " + missing.values() + " of the index do not exist: documents are refused";
        // Never makes a write fail that worked before, whichever request is followed first.
        String without = missing.keySet().stream()
                .map(setting ->
                        MendingRequest.putSettings(index.name(), setting, IngestService.NOOP_PIPELINE_NAME) + "\n\n")
                .collect(Collectors.joining());
        String mend = writing.used(pipelines.names().stream(), without);
        found.add(isNone ? Severity.ERROR : Severity.WARNING, Code.NO_PIPELINE, message, mend);
    }

    /** The first step that reads a fingerprint that is not written yet, or never. */
    private boolean findOrder() {
        List<Step> steps = index.steps();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            String read = step.isNearDuplicate() ? step.nearDuplicateField() : index.fingerprint();
            if (step.reads(read) == false || steps.subList(0, i).stream().anyMatch(other -> other.writes(read))) {
                continue;
            }
            Optional<Step> later =
                    steps.stream().filter(other -> other.writes(read)).reduce((a, b) -> b);
            if (later.isPresent()) {
                found.add(
                        Code.PROCESSOR_ORDER,
                        "[" + step.type() + "] of pipeline [" + step.pipeline() + "] reads [" + read
                                + "] before [" + later.get().type() + "] of pipeline ["
                                + later.get().pipeline() + "] writes it",
                        moved(step, later.get()));
                return true;
            }
            Optional<Step> other = steps.stream()
                    .filter(Step::isWriter)
                    .filter(writer -> writer.kind().isComparedAs(step.nearDuplicateKind()))
                    .findFirst();
            if (step.isNearDuplicate() && other.isPresent()) {
                found.add(
                        Code.PROCESSOR_ORDER,
                        "[near_duplicate] of pipeline [" + step.pipeline() + "] reads [" + read + "], but ["
                                + other.get().type() + "] writes ["
                                + other.get().target() + "]",
                        pipelines.changed(
                                index, step, Map.of("field", other.get().target())));
                return true;
            }
        }
        return false;
    }

    private String moved(Step reader, Step writer) {
        if (pipelines.isOnlyOf(List.of(index), reader.pipeline()) == false
                || pipelines.isOnlyOf(List.of(index), writer.pipeline()) == false) {
            return "Move [" + reader.type() + "] of pipeline [" + reader.pipeline() + "] behind [" + writer.type()
                    + "] of pipeline [" + writer.pipeline() + "]. Other indices use these pipelines, too.";
        }
        List<Object> from = new ArrayList<>(pipelines.processors(reader.pipeline()));
        Object processor = from.get(reader.position());
        if (reader.pipeline().equals(writer.pipeline())) {
            from.add(writer.position() + 1, processor);
            from.remove(reader.position());
            return MendingRequest.putPipeline(reader.pipeline(), pipelines.with(reader.pipeline(), from));
        }
        from.remove(reader.position());
        List<Object> to = new ArrayList<>(pipelines.processors(writer.pipeline()));
        to.add(writer.position() + 1, processor);
        return MendingRequest.putPipeline(writer.pipeline(), pipelines.with(writer.pipeline(), to))
                + "\n\n"
                + MendingRequest.putPipeline(reader.pipeline(), pipelines.with(reader.pipeline(), from));
    }
}
