/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintBuffers;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.options.ProcessorOptions;

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
    private final Counters<FingerprintCount> counts;
    private final boolean readsIngestMetadata;

    SimHashProcessor(
            String tag,
            String description,
            Fingerprinter fingerprinter,
            String targetField,
            boolean ignoreMissing,
            LongConsumer memory,
            Counters<FingerprintCount> counts) {
        super(tag, description);
        this.fingerprinter = fingerprinter;
        this.targetField = targetField;
        this.ignoreMissing = ignoreMissing;
        this.memory = memory;
        this.counts = counts;
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
        long start = System.nanoTime();
        try {
            fingerprint(document);
        } catch (RuntimeException e) {
            counts.increment(FingerprintCount.FAILED);
            throw e;
        } finally {
            counts.add(FingerprintCount.NANOS, System.nanoTime() - start);
        }
        return document;
    }

    private void fingerprint(IngestDocument document) {
        Recipe recipe = fingerprinter.recipe();
        Optional<SourceTexts> texts = DocumentTexts.read(recipe, readable(document));
        if (texts.isPresent()) {
            Fingerprint fingerprint = fingerprinter.fingerprint(texts.get(), memory);
            requireElement(document);
            TargetFields.replace(document, targetField, FingerprintFields.of(fingerprint, recipe.segments()));
            counts.increment(FingerprintCount.DOCUMENTS);
            counts.add(FingerprintCount.TOO_SHORT, fingerprint.bits().isPresent() ? 0 : 1);
        } else if (ignoreMissing == false) {
            throw new IllegalArgumentException("document has none of the fields "
                    + recipe.fields().stream().map(Recipe.WeightedField::path).toList()
                    + " of the processor [simhash]; [ignore_missing] lets such documents pass");
        }
    }

    /** What is written below {@code _ingest} is lost, but into the element of a {@code foreach}. */
    private void requireElement(IngestDocument document) {
        if (ProcessorOptions.isWithin(targetField, ProcessorOptions.ELEMENT)
                && document.getIngestMetadata().get(ProcessorOptions.ELEMENT_KEY) == null) {
            throw new IllegalArgumentException(
                    "[target_field] must name a field of the document outside of a [foreach], got: " + targetField);
        }
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

        private final NodeAnalyzers analyzers;
        private final LongConsumer memory;
        private final Counters<FingerprintCount> counts;
        private final FingerprintBuffers buffers = new FingerprintBuffers();

        /** @param memory where fingerprinting accounts for the bytes that it takes */
        public Factory(NodeAnalyzers analyzers, LongConsumer memory, Counters<FingerprintCount> counts) {
            this.analyzers = analyzers;
            this.memory = memory;
            this.counts = counts;
        }

        @Override
        public SimHashProcessor create(
                Map<String, Processor.Factory> registry, String tag, String description, Map<String, Object> options) {
            return create(tag, description, options, AnalyzerLimits.OF_PIPELINES);
        }

        SimHashProcessor create(String tag, String description, Map<String, Object> options, AnalyzerLimits limits) {
            return ProcessorOptions.read(TYPE, tag, options, typed -> {
                String targetField = typed.writableFieldOrElement("target_field", FingerprintFields.DEFAULT_OBJECT);
                boolean ignoreMissing = typed.flag("ignore_missing", false);
                Recipe recipe = RecipeParser.parse(typed);
                DocumentTexts.paths(recipe).forEach(path -> requireApart(path, targetField));
                Fingerprinter fingerprinter = new Fingerprinter(recipe, analyzers.of(recipe, limits), buffers);
                return new SimHashProcessor(
                        tag, description, fingerprinter, targetField, ignoreMissing, memory, counts);
            });
        }

        /** What the fingerprint is written over is lost; and nothing can be written into a text. */
        private static void requireApart(String path, String targetField) {
            if (ProcessorOptions.isWithin(path, targetField) || ProcessorOptions.isWithin(targetField, path)) {
                throw new IllegalArgumentException("[target_field] must be apart from the fields that are read, got: "
                        + targetField + " beside " + path);
            }
        }
    }
}
