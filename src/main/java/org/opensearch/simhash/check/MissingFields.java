/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.search.spell.LevenshteinDistance;
import org.opensearch.simhash.check.Finding.Severity;

/**
 * Checks whether documents have the fields that the pipeline reads, and those that it verifies. A field that another step of the
 * pipeline names may be made there and removed again.
 */
record MissingFields(CheckedIndex index, PipelineSteps pipelines, Counts counts, RandomDocuments documents) {

    private static final float LEAST_LIKENESS = 0.7f;

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (counts.documents() > 0) {
            index.writers().forEach(step -> {
                Set<String> missing = new LinkedHashSet<>(index.fields(step));
                missing.removeIf(field -> isMadeBefore(field) || documents.haveSome(index, field));
                if (missing.isEmpty() == false) {
                    findings.add(finding(step, missing));
                }
            });
        }
        return findings;
    }

    private boolean isMadeBefore(String field) {
        return index.steps().stream()
                .anyMatch(step -> step.isWriter() == false && step.isNearDuplicate() == false && step.names(field));
    }

    private Finding finding(Step step, Set<String> missing) {
        List<String> texts = index.ownTexts();
        String message = "[" + step.type() + "] of pipeline [" + step.pipeline() + "] reads " + missing
                + ", which no document has; "
                + (texts.isEmpty() ? "the index has no text fields" : "text fields of the index are " + texts);
        return new Finding(
                counts.fingerprinted() == 0 ? Severity.ERROR : Severity.WARNING,
                Code.FIELD_MISSING,
                index.name(),
                message,
                mend(step, missing, texts));
    }

    /** Documents without the field are let in, as before. */
    private String mend(Step step, Set<String> missing, List<String> texts) {
        if (step.options().get("field") instanceof String typed
                && step.readsTexts()
                && missing.contains(typed)
                && meant(typed, texts).isPresent()) {
            return pipelines.changed(
                    index, step, Map.of("field", meant(typed, texts).get(), "ignore_missing", true));
        }
        return "Set " + (step.options().get("fields") == null ? "[field]" : "[fields]") + " of [" + step.type()
                + "] in pipeline [" + step.pipeline() + "] to what documents have, in place of " + missing + ".";
    }

    private static Optional<String> meant(String typed, List<String> texts) {
        LevenshteinDistance likeness = new LevenshteinDistance();
        Optional<String> likest = texts.stream()
                .max(Comparator.comparingDouble(text -> likeness.getDistance(typed, text)))
                .filter(text -> texts.size() == 1 || likeness.getDistance(typed, text) >= LEAST_LIKENESS);
        return likest;
    }

    /** Texts that {@code near_duplicate} verifies, which no document has. */
    List<Finding> verified() {
        List<Finding> findings = new ArrayList<>();
        for (Step step : index.steps()) {
            if (step.isNearDuplicate()
                    && step.nearDuplicateField().equals(index.fingerprint())
                    && step.options().get("verify") instanceof Map<?, ?> verify
                    && verify.get("field") instanceof String field
                    && documents.haveSome(index, field) == false) {
                findings.add(Finding.of(
                        Code.VERIFY_FIELD,
                        index.name(),
                        "[near_duplicate] of pipeline [" + step.pipeline() + "] verifies the texts in [" + field
                                + "], which no document has: none is a near-duplicate",
                        mendVerified(step, verify)));
            }
        }
        return findings;
    }

    private String mendVerified(Step step, Map<?, ?> verify) {
        Set<String> texts = index.textFields();
        if (texts.size() != 1) {
            return "Set [field] of [verify] to the one of " + texts + " that is to be compared, in pipeline ["
                    + step.pipeline() + "].";
        }
        return pipelines.changed(
                index,
                step,
                Map.of(
                        "verify",
                        MendingRequest.with(verify, "field", texts.iterator().next())));
    }
}
