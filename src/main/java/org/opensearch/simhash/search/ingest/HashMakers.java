/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/**
 * The processors that write a field, but not from texts. They hash what a request holds, as they hash a document. Costs as much as its
 * ingestion.
 *
 * @param pipeline the one that was named, or null
 * @param indices whose pipelines count if none was named
 */
public record HashMakers(
        List<FingerprintProcessor> processors, String pipeline, String field, Collection<String> indices) {

    /** Of a recipe that makes no hashes. */
    public static HashMakers none(String field) {
        return new HashMakers(List.of(), null, field, List.of());
    }

    public boolean isEmpty() {
        return processors.isEmpty();
    }

    /** Of the first processor. */
    public String scheme() {
        return processors.getFirst().scheme();
    }

    /**
     * The fields of an image by the processors of images.
     *
     * @param name of the option that has it
     * @param most results; more are not computed
     */
    public List<Map<String, Object>> ofImage(String base64, String name, int most) {
        List<Map<String, Object>> fields = processors.stream()
                .filter(ImageHashProcessor.class::isInstance)
                .limit(most)
                .map(processor -> ((ImageHashProcessor) processor).fields(base64, "[" + name + "]"))
                .toList();
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("[" + name + "] needs an ingest pipeline with an [image_hash] processor"
                    + " for the field [" + field + "], got none" + where());
        }
        return fields;
    }

    private String where() {
        if (pipeline != null) {
            return " in the pipeline [" + pipeline + "]";
        }
        return (indices.isEmpty() ? "" : " of the indices " + indices) + ": set [pipeline]";
    }

    /**
     * The fields of a document by the processors that find what they read.
     *
     * @param name of the option that has it
     * @param most results; more are not computed
     */
    public List<Map<String, Object>> ofDocument(Map<String, Object> document, String name, int most) {
        List<Map<String, Object>> fields = found(document, most);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("[" + name + "] must have the field that the pipeline's processor reads,"
                    + " got: " + TypedNumber.shown(new TreeSet<>(document.keySet()).toString()));
        }
        return fields;
    }

    /** The same; empty if none finds what it reads. */
    public List<Map<String, Object>> found(Map<String, Object> document, int most) {
        return processors.stream()
                .map(processor -> processor.fields(document))
                .flatMap(Optional::stream)
                .limit(most)
                .toList();
    }
}
