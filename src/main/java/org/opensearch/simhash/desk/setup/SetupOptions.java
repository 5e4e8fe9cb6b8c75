/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import static org.opensearch.simhash.search.options.RequestOptions.declare;

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

/**
 * What a setup is asked to do.
 *
 * @param fields of the text, perhaps each with a weight behind {@code ^}; empty means that a sample decides
 * @param targetField the object that gets the fingerprint; null for the usual one, or another if that is not free
 * @param processor more options of the processor that makes it
 * @param nearDuplicate the options of the processor; null for none
 * @param pipeline its name; null for a usual one
 * @param isApplied false shows the steps and changes nothing
 */
record SetupOptions(
        List<String> fields,
        SketchKind sketch,
        String targetField,
        Map<String, Object> processor,
        Map<String, Object> nearDuplicate,
        String pipeline,
        boolean isApplied) {

    /** Options of the processor that a setup has itself, or that make fingerprints of no text. */
    private static final Set<String> OF_SETUP = Set.of("field", "fields", "target_field", "hash_field");

    private static final int MOST_FIELDS = 10;

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
        boolean isName = pipeline == null
                || (pipeline.isBlank() == false && pipeline.equals(IngestService.NOOP_PIPELINE_NAME) == false);
        if (isName == false) {
            throw new IllegalArgumentException("[pipeline] must be the name of a pipeline, got: " + pipeline);
        }
    }

    List<String> paths() {
        return fields.stream().map(Step::unweighted).toList();
    }

    /** The object with the fingerprint. */
    String fingerprint() {
        return targetField == null ? sketch.defaultObject() : targetField;
    }

    SetupOptions in(String object) {
        return new SetupOptions(fields, sketch, object, processor, nearDuplicate, pipeline, isApplied);
    }

    /** @param parser null if there is no body */
    static SetupOptions fromXContent(XContentParser parser) throws IOException {
        Typed typed = parser == null ? new Typed() : RequestOptions.body(Typed.PARSER, parser);
        return new SetupOptions(
                typed.fields,
                typed.sketch,
                typed.targetField,
                typed.processor,
                typed.nearDuplicate,
                typed.pipeline,
                typed.isApplied);
    }

    /** Collects the options while they are parsed. */
    private static final class Typed {

        private static final ObjectParser<Typed, Void> PARSER = new ObjectParser<>("setup", Typed::new);

        private static final String FIELD_RULE = "[field] must be a string or a list of strings";

        static {
            declare(PARSER, "field", (typed, value) -> typed.fields = value, parser -> {
                List<String> fields = RequestOptions.strings(FIELD_RULE).apply(parser);
                if (fields.isEmpty()) {
                    throw new IllegalArgumentException(FIELD_RULE + ", got: an empty list");
                }
                return fields;
            });
            declare(
                    PARSER,
                    "sketch",
                    (typed, value) -> typed.sketch = value,
                    Choice.reader("sketch", SketchKind.class));
            declare(
                    PARSER,
                    "target_field",
                    (typed, value) -> typed.targetField = value,
                    RequestOptions.text("target_field"));
            declare(
                    PARSER,
                    "processor",
                    (typed, value) -> typed.processor = value,
                    RequestOptions.object("processor", XContentParser::mapOrdered));
            declare(
                    PARSER,
                    "near_duplicate",
                    (typed, value) -> typed.nearDuplicate = value,
                    RequestOptions.object("near_duplicate", XContentParser::mapOrdered));
            declare(PARSER, "pipeline", (typed, value) -> typed.pipeline = value, RequestOptions.text("pipeline"));
            declare(PARSER, "apply", (typed, value) -> typed.isApplied = value, RequestOptions.flag("apply"));
        }

        private List<String> fields = List.of();
        private SketchKind sketch = SketchKind.SIMHASH;
        private String targetField;
        private Map<String, Object> processor = Map.of();
        private Map<String, Object> nearDuplicate;
        private String pipeline;
        private boolean isApplied;
    }
}
