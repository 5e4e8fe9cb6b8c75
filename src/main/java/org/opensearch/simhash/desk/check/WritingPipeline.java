/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.ingest.PipelineRecipes;

/**
 * Requests that give an index a pipeline that writes the checked object. They never make a write fail that worked before, replace
 * no pipeline, and no fingerprint that the pipeline does not make: given hashes and those of images stay.
 *
 * @param documents null if they are not known
 */
public record WritingPipeline(
        CheckedIndex index,
        PipelineSteps pipelines,
        DocumentCounts documents,
        boolean isMappingWrong,
        PipelineRecipes recipes) {

    public static final List<String> USUAL_TEXTS = List.of("content", "body", "text", "message", "description");

    private static final String IGNORE_MISSING = "ignore_missing";

    /** A setup with one of these pipelines if it suits, else with the recipe of one of them, or with the default recipe. */
    String used(Stream<String> candidates, String before) {
        return setup(candidates.toList()).map(before::concat).orElseGet(this::words);
    }

    private Optional<String> setup(List<String> candidates) {
        if (isMappingWrong) {
            return Optional.empty();
        }
        String type = index.kind().processor();
        Optional<Step> fit = model(candidates.stream().filter(this::isHarmless));
        if (fit.isPresent()) {
            return Optional.of(
                    pipelines.setup(index, type, Map.of("pipeline", fit.get().pipeline())));
        }
        Optional<Step> model = model(candidates.stream());
        if (model.isPresent()) {
            Map<String, Object> processor = new LinkedHashMap<>(model.get().options());
            Object fields = processor.remove("fields");
            Object field = processor.remove("field");
            processor.keySet().removeAll(List.of("target_field", IGNORE_MISSING));
            return Optional.of(pipelines.setup(
                    index,
                    model.get().type(),
                    Map.of("field", field == null ? fields : field, "processor", processor)));
        }
        return text().filter(text -> mayBeWritten() && makes(List.of(schemeByDefault(text))))
                .map(text -> pipelines.setup(index, type, Map.of("field", text)));
    }

    private String words() {
        if (isMappingWrong) {
            return "Mend the mapping first, then check again.";
        }
        if (mayBeWritten() == false) {
            return "Put the pipeline back that makes the " + index.kind().noun() + "s which the documents have"
                    + (documents == null || documents.schemes().isEmpty()
                            ? ""
                            : ", of " + documents.schemes().keySet())
                    + ", and set it as [index.default_pipeline] of the index: another one would replace them.";
        }
        return "Put a pipeline with a [" + index.kind().processor()
                + "] processor for the field that holds the text, one of " + index.ownTexts()
                + ", and set it as [index.default_pipeline] of the index: POST /_plugins/_simhash/setup/"
                + index.name() + " shows the requests.";
    }

    private Optional<Step> model(Stream<String> candidates) {
        return candidates
                .flatMap(name -> pipelines.of(List.of(name)).stream())
                .filter(step -> step.writes(index.fingerprint()) && step.kind() == index.kind() && step.readsTexts())
                .filter(step -> step.element() == null && step.isConditional() == false && step.renamed() == null)
                .filter(step -> index.fields(step).stream().allMatch(index::isText))
                .filter(step -> mayBeWritten() && makes(recipes.schemes(step.pipeline(), step.typedTarget())))
                .findFirst();
    }

    /** Whether fingerprints of texts replace none that are not of texts, or are not known. */
    private boolean mayBeWritten() {
        return documents != null
                && documents.withoutScheme() == 0
                && documents.schemes().keySet().stream().noneMatch(Freshness::isNotOfText);
    }

    private boolean makes(List<String> made) {
        return documents.schemes().isEmpty()
                || made.stream().anyMatch(documents.schemes().keySet()::contains);
    }

    private String schemeByDefault(String text) {
        Fingerprinter byDefault = recipes.ofOptions(Map.of("field", text));
        return switch (index.kind()) {
            case SKETCH -> byDefault.sketching().scheme();
            case PASSAGES -> ""; // documents that have any keep them
            default -> byDefault.scheme();
        };
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
