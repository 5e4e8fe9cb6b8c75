/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.simhash.fingerprint.FingerprintFields;

/** Checks whether the mapping indexes fingerprints so that they are found. */
record MappingCheck(CheckedIndex index, int segments, Counts counts) {

    /** @param refusal the error of a {@code simhash} query; empty if it works */
    List<Finding> findings(Optional<String> refusal) {
        List<String> unmapped = index.unmappedParts(segments);
        if (refusal.isPresent() && (isWrongObject() || unmapped.isEmpty() || hasWrongPart())) {
            return List.of(Finding.of(
                    Code.MAPPING_WRONG,
                    index.name(),
                    refusal.get(),
                    MendingRequest.reindex(
                            index.name(),
                            index.fingerprint(),
                            segments,
                            index.writer()
                                    .map(writer ->
                                            index.defaultPipeline().stream().toList())
                                    .orElse(List.of()))));
        }
        if (unmapped.isEmpty()) {
            return List.of();
        }
        String mend = MendingRequest.putMapping(index, segments);
        Optional<String> dynamic =
                unmapped.stream().flatMap(part -> whatLeavesOut(part).stream()).findFirst();
        if (dynamic.isPresent()) {
            String message = "[" + index.fingerprint() + "] has no mapping for " + unmapped + ", and [dynamic] is ["
                    + dynamic.get() + "]: documents do not add it, so that their fingerprints are not found";
            return List.of(Finding.of(Code.MAPPING_NOT_DYNAMIC, index.name(), message, mend));
        }
        boolean isFilled = index.hasFingerprintFields() ? counts.fingerprinted() > 0 : counts.documents() > 0;
        if (isFilled == false) {
            return List.of(); // The first document adds what is missing.
        }
        String message = "[" + index.fingerprint() + "] has no mapping for " + unmapped + ", though the index has "
                + counts.documents() + " documents: no near-duplicates of them are found";
        return List.of(Finding.of(Code.MAPPING_MISSING, index.name(), message, mend));
    }

    private boolean isWrongObject() {
        return index.mapping().maps(index.fingerprint()) && index.mapping().isObject(index.fingerprint()) == false;
    }

    private boolean hasWrongPart() {
        Map<?, ?> bits = index.mapping().definition(index.fingerprint() + "." + FingerprintFields.BITS);
        boolean isWrongNumber = bits != null
                && ("long".equals(bits.get("type")) == false || "false".equals(String.valueOf(bits.get("doc_values"))));
        return isWrongNumber || terms().anyMatch(this::isWrongTerm);
    }

    private Stream<String> terms() {
        return Stream.concat(
                Stream.of(FingerprintFields.DIGEST, FingerprintFields.SCHEME),
                IntStream.range(0, segments).mapToObj(FingerprintFields::segment));
    }

    private boolean isWrongTerm(String part) {
        return index.mapping().maps(index.fingerprint() + "." + part) && index.terms(part) == null;
    }

    /** The value of {@code dynamic} that keeps a part out of the mapping. */
    private Optional<String> whatLeavesOut(String part) {
        String dynamic = index.mapping().dynamic(index.fingerprint());
        boolean isAdded = dynamic.equals("true")
                || (dynamic.endsWith("_allow_templates")
                        && part.startsWith(FingerprintFields.SEGMENT)
                        && index.mapping().hasDynamicTemplate(index.fingerprint() + "." + part));
        return isAdded ? Optional.empty() : Optional.of(dynamic);
    }
}
