/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.query.IndexMapping;

/** The indices that have fingerprints or sketches, of those that a pattern meets; and how their pipelines cut sketches. */
record CalibratedIndices(Map<String, IndexMapping> mappings, String field, BandLayout bands) {

    static final String NOT_OF_TEXT = " (hashes of images and ready hashes are made of none)";

    /** @throws IllegalArgumentException if no index has such fingerprints */
    static CalibratedIndices of(
            Metadata metadata,
            String[] indices,
            SketchKind kind,
            String value,
            String field,
            Function<List<String>, BandLayout> bands) {
        Map<String, IndexMapping> mappings = new TreeMap<>();
        String bits = field + "." + value;
        Set<String> longer = new TreeSet<>();
        for (String index : indices) {
            IndexMetadata known = metadata.index(index);
            IndexMapping mapping = known == null ? null : new IndexMapping(known); // null: it was deleted meanwhile
            if (mapping != null && mapping.maps(bits)) {
                mappings.put(index, mapping);
            }
            if (mapping != null && mapping.maps(field + "." + FingerprintFields.BITS_256)) {
                longer.add(field + "." + FingerprintFields.BITS_256);
            }
        }
        if (mappings.isEmpty() && kind == SketchKind.SIMHASH && longer.isEmpty() == false) {
            throw new IllegalArgumentException(
                    "[field] must hold fingerprints of 64 bits, which is all that [calibrate] compares" + NOT_OF_TEXT
                            + ", got: " + longer);
        }
        if (mappings.isEmpty()) {
            throw PipelineRecipes.notMapped(kind, bits, List.of(indices));
        }
        return new CalibratedIndices(mappings, field, bands.apply(List.copyOf(mappings.keySet())));
    }

    List<String> names() {
        return List.copyOf(mappings.keySet());
    }

    boolean maps(String path) {
        return mappings.values().stream().anyMatch(mapping -> mapping.maps(path));
    }

    /** Null if a text can be read. */
    IllegalArgumentException refusal(String text) {
        for (Map.Entry<String, IndexMapping> index : mappings.entrySet()) {
            if (index.getValue().isObject(text)) {
                return new IllegalArgumentException("[verify] must have a [field] that holds a text, got: [" + text
                        + "], which is an object in [" + index.getKey() + "]");
            }
            if (index.getValue().keeps(text) == false) {
                return new IllegalArgumentException(
                        "[verify] must have a [field] that is kept in [_source] or stored, got: [" + text
                                + "], which is neither in [" + index.getKey() + "]");
            }
        }
        return null;
    }
}
