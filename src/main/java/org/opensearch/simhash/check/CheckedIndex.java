/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestService;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.query.IndexMapping;

/**
 * An index as the cluster state has it.
 *
 * @param fingerprint the object that is checked
 * @param steps of its pipelines, in the order in which they run
 */
record CheckedIndex(IndexMetadata metadata, IndexMapping mapping, String fingerprint, List<Step> steps) {

    private static final Set<String> KEYWORDS = Set.of("keyword", "constant_keyword");

    static CheckedIndex of(IndexMetadata metadata, String fingerprint, PipelineSteps pipelines) {
        return new CheckedIndex(
                metadata, new IndexMapping(metadata), fingerprint, pipelines.of(pipelines(metadata.getSettings())));
    }

    private static List<String> pipelines(Settings settings) {
        return Stream.of(IndexSettings.DEFAULT_PIPELINE.get(settings), IndexSettings.FINAL_PIPELINE.get(settings))
                .filter(name -> name.equals(IngestService.NOOP_PIPELINE_NAME) == false)
                .toList();
    }

    String name() {
        return metadata.getIndex().getName();
    }

    /** Of its settings; empty where it has none. */
    Optional<String> defaultPipeline() {
        return set(IndexSettings.DEFAULT_PIPELINE.get(metadata.getSettings()));
    }

    Optional<String> finalPipeline() {
        return set(IndexSettings.FINAL_PIPELINE.get(metadata.getSettings()));
    }

    private static Optional<String> set(String pipeline) {
        return pipeline.equals(IngestService.NOOP_PIPELINE_NAME) ? Optional.empty() : Optional.of(pipeline);
    }

    /** The first step that writes the fingerprint. */
    Optional<Step> writer() {
        return steps.stream().filter(step -> step.writes(fingerprint)).findFirst();
    }

    /** Where the terms of a part of the fingerprint are: in the field, or in the keyword below it; null when it is not mapped so. */
    String terms(String part) {
        String path = fingerprint + "." + part;
        Map<?, ?> field = mapping.definition(path);
        if (field == null) {
            return null;
        }
        if (KEYWORDS.contains(String.valueOf(field.get("type")))) {
            return path;
        }
        return field.get("fields") instanceof Map<?, ?> below && below.get("keyword") != null
                ? path + ".keyword"
                : null;
    }

    /** Parts of the fingerprint that the mapping does not name, the segments of the writer's layout among them. */
    List<String> unmappedParts(int segments) {
        List<String> parts = new ArrayList<>(List.of(FingerprintFields.BITS, FingerprintFields.DIGEST));
        parts.add(FingerprintFields.SCHEME);
        for (int i = 0; i < segments; i++) {
            parts.add(FingerprintFields.segment(i));
        }
        return parts.stream()
                .filter(part -> mapping.maps(fingerprint + "." + part) == false)
                .toList();
    }

    boolean hasFingerprintFields() {
        return mapping.maps(fingerprint + "." + FingerprintFields.BITS)
                || mapping.maps(fingerprint + "." + FingerprintFields.DIGEST);
    }

    /** The fields that hold the languages of texts. */
    Set<String> languageFields() {
        Set<String> fields = new TreeSet<>();
        steps.stream()
                .filter(step -> step.writes(fingerprint))
                .forEach(step -> collect(step.options().get("language_field"), fields));
        return fields;
    }

    /** The fields that the writers make fingerprints of, without those below {@code _ingest}. */
    Set<String> textFields() {
        Set<String> fields = new TreeSet<>();
        for (Step step : steps) {
            if (step.writes(fingerprint)) {
                collect(step.options().get("field"), fields);
                collect(step.options().get("fields"), fields);
                collect(step.options().get("hash_field"), fields);
            }
        }
        return fields;
    }

    private static void collect(Object typed, Set<String> fields) {
        if (typed instanceof List<?> several) {
            several.forEach(one -> collect(one, fields));
        } else if (typed instanceof String path && path.startsWith("_ingest.") == false) {
            int weight = path.lastIndexOf('^');
            fields.add(weight < 0 ? path : path.substring(0, weight));
        }
    }
}
