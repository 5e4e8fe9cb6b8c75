/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.search.spell.LevenshteinDistance;
import org.opensearch.simhash.desk.check.Finding.PrintCounts;
import org.opensearch.simhash.desk.check.Finding.Severity;

/** Checks whether the mapping indexes fingerprints so that they are found. */
record MappingCheck(CheckedIndex index, int segments, PrintCounts counts) {

    void find(Optional<String> refusal, Findings found) {
        List<String> searched = index.unmappedParts(segments);
        if (refusal.isPresent() && (isWrongObject() || searched.isEmpty() || hasWrongPart())) {
            found.add(Code.MAPPING_WRONG, refusal.get(), new IndexCopy(index, segments).mend());
            return;
        }
        List<String> unmapped = Stream.concat(searched.stream(), index.refusedParts(segments).stream())
                .distinct()
                .toList();
        if (unmapped.isEmpty()) {
            return;
        }
        String mend = MendingRequest.putMapping(index, segments);
        Optional<String> dynamic =
                unmapped.stream().flatMap(part -> whatLeavesOut(part).stream()).findFirst();
        if (dynamic.isPresent()) {
            String message = "[" + index.fingerprint() + "] has no mapping for " + unmapped + ", and [dynamic] is ["
                    + dynamic.get() + "]: "
                    + (dynamic.get().startsWith("strict")
                            ? "documents with a " + index.kind().noun() + " are refused"
                            : "documents do not add it, so that their "
                                    + index.kind().noun() + "s are not found");
            found.add(Code.MAPPING_NOT_DYNAMIC, message, mend);
            return;
        }
        String missing = "[" + index.fingerprint() + "] has no mapping for ";
        List<String> asTexts = unmapped.stream()
                .filter(part -> index.kind().isDynamic() == false && hasTemplate(part) == false)
                .toList();
        if (asTexts.isEmpty() == false) {
            String message = missing + asTexts + ": documents add texts in its place, which no query compares";
            found.add(Code.MAPPING_MISSING, message, mend);
            return;
        }
        boolean isFilled = index.hasFingerprintFields() ? counts.fingerprinted() > 0 : counts.documents() > 0;
        if (isFilled) { // Else the first document adds what is missing.
            String message = missing + unmapped + ", though the index has " + counts.documents()
                    + " documents: no near-duplicates of them are found";
            found.add(Code.MAPPING_MISSING, message, mend);
        }
    }

    private boolean isWrongObject() {
        return index.mapping().maps(index.fingerprint()) && index.mapping().isObject(index.fingerprint()) == false;
    }

    private boolean hasWrongPart() {
        Map<?, ?> value = index.mapping().definition(index.path(index.kind().value()));
        return (value != null && index.kind().isValue(value) == false)
                || index.kind().terms(segments).stream().anyMatch(this::isWrongTerm);
    }

    private boolean isWrongTerm(String part) {
        return index.mapping().maps(index.path(part)) && index.terms(part) == null;
    }

    /** The value of {@code dynamic} that keeps a part out of the mapping. */
    private Optional<String> whatLeavesOut(String part) {
        String dynamic = index.mapping().dynamic(index.fingerprint());
        boolean isAdded = dynamic.equals("true") || (dynamic.endsWith("_allow_templates") && hasTemplate(part));
        return isAdded ? Optional.empty() : Optional.of(dynamic);
    }

    private boolean hasTemplate(String part) {
        return index.mapping().hasDynamicTemplate(index.path(part));
    }

    /** Checks whether documents have the fields that the pipeline reads and verifies. Another step of it may make them. */
    record MissingFields(CheckedIndex index, PipelineSteps pipelines, PrintCounts counts, Findings found) {

        private static final float LEAST_LIKENESS = 0.7f;

        void find() {
            if (counts.documents() > 0) {
                index.writers().forEach(step -> {
                    Set<String> missing = new LinkedHashSet<>(index.fields(step));
                    missing.removeIf(
                            field -> isMadeBefore(field) || index.documents().haveSome(index, field));
                    if (missing.isEmpty() == false) {
                        add(step, missing);
                    }
                });
            }
        }

        private boolean isMadeBefore(String field) {
            return index.steps().stream()
                    .anyMatch(step -> step.isWriter() == false && step.isNearDuplicate() == false && step.names(field));
        }

        private void add(Step step, Set<String> missing) {
            List<String> texts = index.ownTexts();
            String message = "[" + step.type() + "] of pipeline [" + step.pipeline() + "] reads " + missing
                    + ", which no document has; "
                    + (texts.isEmpty() ? "the index has no text fields" : "text fields of the index are " + texts);
            found.add(
                    counts.fingerprinted() == 0 ? Severity.ERROR : Severity.WARNING,
                    Code.FIELD_MISSING,
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
            return texts.stream()
                    .max(Comparator.comparingDouble(text -> likeness.getDistance(typed, text)))
                    .filter(text -> texts.size() == 1 || likeness.getDistance(typed, text) >= LEAST_LIKENESS);
        }

        /** Texts that {@code near_duplicate} verifies, which no document has. */
        void findVerified() {
            for (Step step : index.steps()) {
                if (step.isNearDuplicate()
                        && step.nearDuplicateField().equals(index.fingerprint())
                        && step.options().get("verify") instanceof Map<?, ?> verify
                        && verify.get("field") instanceof String field
                        && index.documents().haveSome(index, field) == false) {
                    found.add(
                            Code.VERIFY_FIELD,
                            "[near_duplicate] of pipeline [" + step.pipeline() + "] verifies the texts in [" + field
                                    + "], which no document has: none is a near-duplicate",
                            mendVerified(step, verify));
                }
            }
        }

        private String mendVerified(Step step, Map<?, ?> verify) {
            Set<String> texts = index.textFields();
            if (texts.size() != 1) {
                return "Set [field] of [verify] to the one of " + texts + " that is to be compared, in pipeline ["
                        + step.pipeline() + "].";
            }
            String text = texts.iterator().next();
            return pipelines.changed(index, step, Map.of("verify", MendingRequest.with(verify, "field", text)));
        }
    }
}
