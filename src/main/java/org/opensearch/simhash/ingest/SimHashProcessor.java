/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import static org.opensearch.ingest.ConfigurationUtils.newConfigurationException;
import static org.opensearch.ingest.ConfigurationUtils.readBooleanProperty;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.fingerprint.SourceTexts;

/**
 * The ingest processor {@code simhash}: writes the fingerprint of a document's texts into the document, in place of any that
 * was there. Thread-safe; the work is done on the thread that brings the document.
 */
public final class SimHashProcessor extends AbstractProcessor {

    public static final String TYPE = "simhash";

    private final Fingerprinter fingerprinter;
    private final String targetField;
    private final boolean ignoreMissing;
    private final LongConsumer memory;
    private final boolean readsIngestMetadata;

    SimHashProcessor(
            String tag,
            String description,
            Fingerprinter fingerprinter,
            String targetField,
            boolean ignoreMissing,
            LongConsumer memory) {
        super(tag, description);
        this.fingerprinter = fingerprinter;
        this.targetField = targetField;
        this.ignoreMissing = ignoreMissing;
        this.memory = memory;
        this.readsIngestMetadata = DocumentTexts.paths(fingerprinter.recipe()).stream()
                .anyMatch(path -> path.startsWith(IngestDocument.INGEST_KEY + "."));
    }

    @Override
    public String getType() {
        return TYPE;
    }

    /** How this processor makes fingerprints: what a query needs to make comparable ones. */
    public Fingerprinter fingerprinter() {
        return fingerprinter;
    }

    public String targetField() {
        return targetField;
    }

    @Override
    public IngestDocument execute(IngestDocument document) {
        Recipe recipe = fingerprinter.recipe();
        Optional<SourceTexts> texts = DocumentTexts.read(recipe, readable(document));
        if (texts.isPresent()) {
            Fingerprint fingerprint = fingerprinter.fingerprint(texts.get(), memory);
            document.setFieldValue(targetField, FingerprintFields.of(fingerprint, recipe.segments()));
        } else if (ignoreMissing == false) {
            throw new IllegalArgumentException("document has none of the fields "
                    + recipe.fields().stream().map(Recipe.WeightedField::path).toList()
                    + " of the processor [simhash]; [ignore_missing] lets such documents pass");
        }
        return document;
    }

    /** In a {@code foreach}, the element is below {@code _ingest}. */
    private Map<String, Object> readable(IngestDocument document) {
        if (readsIngestMetadata == false) {
            return document.getSourceAndMetadata();
        }
        Map<String, Object> all = new HashMap<>(document.getSourceAndMetadata());
        all.put(IngestDocument.INGEST_KEY, document.getIngestMetadata());
        return all;
    }

    /** Builds the processor from its options; refuses what is unknown or out of range. */
    public static final class Factory implements Processor.Factory {

        private static final String TARGET_FIELD = "target_field";
        private static final Set<String> METADATA = Arrays.stream(IngestDocument.Metadata.values())
                .map(IngestDocument.Metadata::getFieldName)
                .collect(Collectors.toUnmodifiableSet());

        private final NodeAnalyzers analyzers;
        private final LongConsumer memory;

        /** @param memory where fingerprinting accounts for the bytes that it takes */
        public Factory(NodeAnalyzers analyzers, LongConsumer memory) {
            this.analyzers = analyzers;
            this.memory = memory;
        }

        @Override
        public SimHashProcessor create(
                Map<String, Processor.Factory> registry, String tag, String description, Map<String, Object> options) {
            String targetField = targetField(tag, options);
            boolean ignoreMissing = readBooleanProperty(TYPE, tag, options, "ignore_missing", false);
            Fingerprinter fingerprinter = fingerprinter(tag, options);
            return new SimHashProcessor(tag, description, fingerprinter, targetField, ignoreMissing, memory);
        }

        private static String targetField(String tag, Map<String, Object> options) {
            String targetField =
                    Objects.requireNonNullElse(RecipeParser.readFieldName(tag, options, TARGET_FIELD), TYPE);
            if (METADATA.contains(targetField)) {
                throw newConfigurationException(
                        TYPE,
                        tag,
                        null,
                        "[" + TARGET_FIELD + "] must name a field of the document, got: " + targetField);
            }
            return targetField;
        }

        private Fingerprinter fingerprinter(String tag, Map<String, Object> options) {
            Recipe recipe = RecipeParser.parse(tag, options);
            try {
                return new Fingerprinter(recipe, analyzers.of(recipe));
            } catch (IllegalArgumentException e) {
                throw newConfigurationException(TYPE, tag, null, e.getMessage());
            }
        }
    }
}
