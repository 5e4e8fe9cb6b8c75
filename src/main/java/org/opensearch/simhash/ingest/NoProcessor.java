/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The error when no processor of a type writes a field: names the fields that are written.
 *
 * @param name of the type
 */
record NoProcessor(String name, Class<? extends TextProcessor> type) {

    IllegalArgumentException in(String pipeline, String field, List<FingerprintProcessor> processors) {
        return new IllegalArgumentException(
                "[pipeline] must have a [" + name + "] processor with target_field [" + field + "], got: " + pipeline
                        + (written(List.of(processors)).isEmpty()
                                ? ""
                                : ", whose processors write " + written(List.of(processors))));
    }

    IllegalArgumentException of(
            Collection<String> indices, String field, Collection<List<FingerprintProcessor>> processors) {
        if (written(processors).isEmpty()) {
            return new IllegalArgumentException("no ingest pipeline with a [" + name + "] processor for field [" + field
                    + "] found for " + indices + ": set [pipeline], or [index.default_pipeline] of the index");
        }
        return new IllegalArgumentException(
                "the [" + name + "] processors in the ingest pipelines of " + indices + " write "
                        + written(processors) + ", none of them [" + field
                        + "]: set [pipeline] to one with a processor for it, or with a single processor");
    }

    /**
     * Refuses to fingerprint a text for a field with hashes of something else: nothing would be near.
     *
     * @throws IllegalArgumentException if a processor writes the field, but not from texts
     */
    void refuseHashes(String field, Collection<List<FingerprintProcessor>> processors) {
        for (List<FingerprintProcessor> list : processors) {
            for (FingerprintProcessor processor : list) {
                if (processor.targetField().equals(field) && type.isInstance(processor) == false) {
                    throw new IllegalArgumentException("[field] must hold fingerprints of texts to be compared with"
                            + " a text or a document, got: " + field + ", into which hashes of the scheme ["
                            + processor.scheme() + "] are written; use [hash] or [id]");
                }
            }
        }
    }

    /** Without the target fields of other kinds of texts. */
    private Set<String> written(Collection<List<FingerprintProcessor>> processors) {
        return processors.stream()
                .flatMap(List::stream)
                .filter(processor -> type.isInstance(processor) || processor instanceof TextProcessor == false)
                .map(FingerprintProcessor::targetField)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
