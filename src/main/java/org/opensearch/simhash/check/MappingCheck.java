/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks whether the mapping indexes fingerprints so that they are found. */
record MappingCheck(CheckedIndex index, int segments, Counts counts) {

    /** @param refusal the error of a query; empty if it works */
    List<Finding> findings(Optional<String> refusal) {
        List<String> searched = index.unmappedParts(segments);
        if (refusal.isPresent() && (isWrongObject() || searched.isEmpty() || hasWrongPart())) {
            return List.of(Finding.of(
                    Code.MAPPING_WRONG, index.name(), refusal.get(), MendingRequest.reindex(index, segments)));
        }
        List<String> unmapped = Stream.concat(searched.stream(), index.refusedParts(segments).stream())
                .distinct()
                .toList();
        if (unmapped.isEmpty()) {
            return List.of();
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
            return List.of(Finding.of(Code.MAPPING_NOT_DYNAMIC, index.name(), message, mend));
        }
        String missing = "[" + index.fingerprint() + "] has no mapping for ";
        List<String> asTexts = unmapped.stream()
                .filter(part -> index.kind() == CheckedKind.SKETCH && hasTemplate(part) == false)
                .toList();
        if (asTexts.isEmpty() == false) {
            String message = missing + asTexts + ": documents add texts in its place, which no query compares";
            return List.of(Finding.of(Code.MAPPING_MISSING, index.name(), message, mend));
        }
        boolean isFilled = index.hasFingerprintFields() ? counts.fingerprinted() > 0 : counts.documents() > 0;
        if (isFilled == false) {
            return List.of(); // The first document adds what is missing.
        }
        String message = missing + unmapped + ", though the index has " + counts.documents()
                + " documents: no near-duplicates of them are found";
        return List.of(Finding.of(Code.MAPPING_MISSING, index.name(), message, mend));
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
}
