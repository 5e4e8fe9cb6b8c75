/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.ingest.IngestService;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.desk.check.Step;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Choice;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/**
 * What a setup is asked to do.
 *
 * @param fields of the text, perhaps each with a weight behind {@code ^}; empty means that a sample decides
 * @param targetField the object that gets the fingerprint; null for the usual one, or for another where the index has a field of its own
 *     there
 */
record SetupOptions(
        List<String> fields,
        SketchKind sketch,
        String targetField,
        Map<String, Object> processor,
        Map<String, Object> nearDuplicate,
        String pipeline,
        boolean isApplied) {

    /** Options that {@code processor} must leave out: those that setup has itself, and the one that reads no text. */
    private static final Set<String> OF_SETUP = Set.of("field", "fields", "target_field", "hash_field");

    private static final int MOST_FIELDS = 10;
    private static final String FIELD_RULE = "[field] must be a string or a list of strings";
    private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("setup");

    static {
        declare(PARSER, "field", SetupOptions::fields);
        declare(PARSER, "sketch", Choice.reader("sketch", SketchKind.class));
        declare(PARSER, "processor", RequestOptions.object("processor", XContentParser::mapOrdered));
        declare(PARSER, "near_duplicate", RequestOptions.object("near_duplicate", XContentParser::mapOrdered));
        option(PARSER, "target_field", RequestOptions::text);
        option(PARSER, "pipeline", RequestOptions::text);
        option(PARSER, "apply", RequestOptions::flag);
    }

    SetupOptions {
        fields = List.copyOf(fields);
        if (fields.size() > MOST_FIELDS) {
            throw new IllegalArgumentException(
                    "[field] must name 1 to " + MOST_FIELDS + " text fields, got: " + fields.size());
        }
        fields.forEach(field -> ProcessorOptions.requirePath("[field] must name a text field", Step.unweighted(field)));
        if (targetField != null) {
            ProcessorOptions.requirePath("[target_field] must name an object", targetField);
        }
        processor.keySet().stream().filter(OF_SETUP::contains).findFirst().ifPresent(option -> {
            throw new IllegalArgumentException("[processor] must leave out what setup has as options of its own, and"
                    + " [hash_field], which is of no text, got: " + option);
        });
        if (pipeline != null && (pipeline.isBlank() || pipeline.equals(IngestService.NOOP_PIPELINE_NAME))) {
            throw new IllegalArgumentException("[pipeline] must be the name of a pipeline, got: " + pipeline);
        }
    }

    List<String> paths() {
        return fields.stream().map(Step::unweighted).toList();
    }

    String fingerprint() {
        return targetField == null ? sketch.defaultObject() : targetField;
    }

    SetupOptions in(String object) {
        return new SetupOptions(fields, sketch, object, processor, nearDuplicate, pipeline, isApplied);
    }

    static SetupOptions fromXContent(XContentParser parser) throws IOException {
        Given given = RequestOptions.optionalBody(PARSER, parser);
        return new SetupOptions(
                given.get("field", List.of()),
                given.get("sketch", SketchKind.SIMHASH),
                given.get("target_field", null),
                given.get("processor", Map.of()),
                given.get("near_duplicate", null),
                given.get("pipeline", null),
                given.get("apply", false));
    }

    private static List<String> fields(XContentParser parser) throws IOException {
        List<String> fields = RequestOptions.strings(FIELD_RULE).apply(parser);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException(FIELD_RULE + ", got: an empty list");
        }
        return fields;
    }
}
