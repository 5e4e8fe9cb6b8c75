/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestService;
import org.opensearch.simhash.desk.check.Finding.Severity;

/** Checks whether the pipelines of an index write fingerprints before any step reads them, and whether a template had given it one. */
record PipelineCheck(
        CheckedIndex index,
        Metadata metadata,
        PipelineSteps pipelines,
        int segments,
        DocumentCounts documents,
        WritingPipeline writing,
        Findings found) {

    void find() {
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
                .map(setting -> MendingRequest.putSettings(index, setting, IngestService.NOOP_PIPELINE_NAME) + "\n\n")
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

    /** A template that was meant for the index but not applied. Legacy templates count only if no composable one matches. */
    void findTemplate() {
        String used = MetadataIndexTemplateService.findV2Template(metadata, index.name(), false);
        Optional<Map.Entry<String, ComposableIndexTemplate>> composable = metadata.templatesV2().entrySet().stream()
                .filter(template -> Regex.simpleMatch(template.getValue().indexPatterns(), index.name()))
                .filter(template ->
                        writesFingerprints(MetadataIndexTemplateService.resolveSettings(metadata, template.getKey())))
                .findFirst();
        composable.ifPresent(template -> add(template.getKey(), template.getValue(), used));
        if (composable.isEmpty() && used == null) {
            metadata.templates().values().stream()
                    .filter(template -> Regex.simpleMatch(template.patterns(), index.name()))
                    .filter(template -> writesFingerprints(template.settings()))
                    .findFirst()
                    .ifPresent(
                            template -> add(template.name(), template.settings(), "but the index was made before it"));
        }
    }

    private boolean writesFingerprints(Settings settings) {
        List<String> named =
                List.of(IndexSettings.DEFAULT_PIPELINE.get(settings), IndexSettings.FINAL_PIPELINE.get(settings));
        return pipelines.of(named).stream().anyMatch(step -> step.writes(index.fingerprint()));
    }

    private void add(String name, ComposableIndexTemplate template, String used) {
        String why = name.equals(used)
                ? "but the index was made before it"
                : "but [" + used + "] has a higher [priority] than its [" + template.priorityOrZero()
                        + "], and indices of this name are made by that";
        add(name, MetadataIndexTemplateService.resolveSettings(metadata, name), why);
    }

    private void add(String name, Settings settings, String why) {
        Stream<String> named =
                Stream.of(IndexSettings.DEFAULT_PIPELINE.get(settings), IndexSettings.FINAL_PIPELINE.get(settings));
        found.add(
                Code.TEMPLATE_NOT_USED,
                "the index template [" + name + "] sets up " + index.kind().noun() + "s, " + why,
                index.writer().isPresent()
                        ? MendingRequest.putMapping(index, segments)
                        : writing.used(named.filter(pipelines::has), ""));
    }
}
