/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The error when no {@code simhash} processor writes a field: names the fields that are written. */
final class NoProcessor {

    private NoProcessor() {}

    static IllegalArgumentException in(String pipeline, String field, List<FingerprintProcessor> processors) {
        return new IllegalArgumentException(
                "[pipeline] must have a [simhash] processor with target_field [" + field + "], got: " + pipeline
                        + (processors.isEmpty() ? "" : ", whose processors write " + written(List.of(processors))));
    }

    static IllegalArgumentException of(
            Collection<String> indices, String field, Collection<List<FingerprintProcessor>> processors) {
        if (processors.stream().allMatch(List::isEmpty)) {
            return new IllegalArgumentException("no ingest pipeline with a [simhash] processor for field [" + field
                    + "] found for " + indices + ": set [pipeline], or [index.default_pipeline] of the index");
        }
        return new IllegalArgumentException("the [simhash] processors in the ingest pipelines of " + indices + " write "
                + written(processors) + ", none of them [" + field
                + "]: set [pipeline] to one with a processor for it, or with a single processor");
    }

    /**
     * Refuses to fingerprint a text for a field with hashes of something else: nothing would be near.
     *
     * @throws IllegalArgumentException if a processor writes the field, but not from texts
     */
    static void refuseHashes(String field, Collection<List<FingerprintProcessor>> processors) {
        for (List<FingerprintProcessor> list : processors) {
            for (FingerprintProcessor processor : list) {
                if (processor.targetField().equals(field) && processor instanceof SimHashProcessor == false) {
                    throw new IllegalArgumentException("[field] must hold fingerprints of texts to be compared with"
                            + " a text or a document, got: " + field + ", into which hashes of the scheme ["
                            + processor.scheme() + "] are written; use [hash] or [id]");
                }
            }
        }
    }

    private static Set<String> written(Collection<List<FingerprintProcessor>> processors) {
        Set<String> fields = new TreeSet<>();
        processors.forEach(list -> list.forEach(processor -> fields.add(processor.targetField())));
        return fields;
    }
}
