/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.PipelineProcessor;

/**
 * Requests that give an index a pipeline that writes the checked object. They never make a write fail that worked before: the
 * pipeline reads fields that the index maps, lets documents without them in, and has no other step; the mapping comes first; no
 * pipeline is replaced, and none of the index is left out.
 *
 * @param schemes of the documents
 * @param isMappingWrong whether the mapping refuses the object
 * @param schemesOf a pipeline's step
 */
record WritingPipeline(
        CheckedIndex index,
        int segments,
        PipelineSteps pipelines,
        Set<String> schemes,
        boolean isMappingWrong,
        Function<Step, List<String>> schemesOf) {

    /** Usual names of text fields. */
    private static final List<String> USUAL_TEXTS = List.of("content", "body", "text", "message", "description");

    private static final String IGNORE_MISSING = "ignore_missing";

    /** A pipeline of this name, which the index has and the cluster does not. */
    String named(String pipeline) {
        return writer(pipelines.names().stream())
                .map(writer -> afterMapping(MendingRequest.putPipeline(pipeline, of(writer))))
                .orElseGet(this::words);
    }

    /** One of these pipelines if it suits, else a new one with the recipe of one of them, or with the default recipe. */
    String used(Stream<String> candidates) {
        List<String> names = candidates.toList();
        Optional<String> fit = names.stream()
                .filter(name -> model(Stream.of(name)).isPresent() && isHarmless(name))
                .findFirst();
        boolean isOfScheme = schemes.isEmpty()
                || fit.isEmpty()
                || model(Stream.of(fit.get())).filter(this::isOfScheme).isPresent();
        boolean isTaken =
                index.defaultPipeline().isPresent() && index.finalPipeline().isPresent();
        if (fit.isPresent() && isOfScheme && isTaken == false && isMappingWrong == false) {
            return afterMapping(set(fit.get()));
        }
        return writer(names.stream()).map(this::made).orElseGet(this::words);
    }

    private String made(Map<String, Object> writer) {
        String name = pipelines.unused(index.kind().noun() + "-" + index.name());
        if (index.defaultPipeline().isPresent() && index.finalPipeline().isPresent()) {
            Map<String, Object> first = Map.of(
                    PipelineProcessor.TYPE,
                    Map.of("name", index.defaultPipeline().get()));
            String both = MendingRequest.putPipeline(name, Map.of("processors", List.of(first, writer)));
            return afterMapping(both + "\n\n" + set(IndexSettings.DEFAULT_PIPELINE.getKey(), name));
        }
        return afterMapping(MendingRequest.putPipeline(name, of(writer)) + "\n\n" + set(name));
    }

    private static Map<String, Object> of(Map<String, Object> writer) {
        return Map.of("processors", List.of(writer));
    }

    private String set(String pipeline) {
        return set(
                index.defaultPipeline().isEmpty()
                        ? IndexSettings.DEFAULT_PIPELINE.getKey()
                        : IndexSettings.FINAL_PIPELINE.getKey(),
                pipeline);
    }

    private String set(String setting, String pipeline) {
        return MendingRequest.putSettings(index.name(), setting, pipeline);
    }

    /** Documents that the pipeline changes must fit. */
    private String afterMapping(String requests) {
        return index.unmappedParts(segments).isEmpty()
                ? requests
                : MendingRequest.putMapping(index, segments) + "\n\n" + requests;
    }

    private String words() {
        return isMappingWrong
                ? "Mend the mapping first, then check again."
                : "Put a pipeline with a [" + index.kind().processor()
                        + "] processor for the field that holds the text, one of " + index.ownTexts()
                        + ", and set it as [index.default_pipeline] of the index: docs/existing-index.md has the requests.";
    }

    /** The processor of a new pipeline. */
    private Optional<Map<String, Object>> writer(Stream<String> candidates) {
        if (isMappingWrong) {
            return Optional.empty();
        }
        Optional<Step> model = model(candidates);
        if (model.isPresent()) {
            Map<String, Object> options = MendingRequest.with(model.get().options(), IGNORE_MISSING, true);
            return Optional.of(Map.of(model.get().type(), options));
        }
        return text().map(text -> {
            Map<String, Object> options = new LinkedHashMap<>();
            options.put("field", text);
            options.put("target_field", index.fingerprint());
            options.put(IGNORE_MISSING, true);
            return Map.of(index.kind().processor(), options);
        });
    }

    /** A step that makes what the documents have, of fields that the index maps. */
    private Optional<Step> model(Stream<String> candidates) {
        return candidates
                .flatMap(name -> pipelines.of(List.of(name)).stream())
                .filter(step -> step.writes(index.fingerprint()) && step.kind() == index.kind())
                .filter(step -> step.element() == null && step.isConditional() == false && step.renamed() == null)
                .filter(step -> index.fields(step).stream().allMatch(index.mapping()::maps))
                .max(Comparator.comparing(this::isOfScheme));
    }

    private boolean isOfScheme(Step step) {
        return schemesOf.apply(step).stream().anyMatch(schemes::contains);
    }

    private boolean isHarmless(String pipeline) {
        List<Step> steps = pipelines.of(List.of(pipeline));
        return steps.size() == 1
                && "true".equals(String.valueOf(steps.getFirst().options().get(IGNORE_MISSING)));
    }

    private Optional<String> text() {
        List<String> texts = index.ownTexts();
        return USUAL_TEXTS.stream()
                .filter(texts::contains)
                .findFirst()
                .or(() -> texts.size() == 1 ? Optional.of(texts.getFirst()) : Optional.empty());
    }
}
