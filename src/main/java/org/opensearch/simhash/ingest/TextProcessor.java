/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.fingerprint.FingerprintBuffers;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.fingerprint.SourceTexts;

/** An ingest processor that writes what a recipe makes of a document's texts. Thread-safe. */
public abstract class TextProcessor extends FingerprintProcessor {

    private final Fingerprinter fingerprinter;
    private final LongConsumer memory;

    TextProcessor(String tag, String description, Target target, Fingerprinter fingerprinter, LongConsumer memory) {
        super(tag, description, target, DocumentTexts.paths(fingerprinter.recipe()));
        this.fingerprinter = fingerprinter;
        this.memory = memory;
    }

    /** Makes the features. A query needs it to make comparable ones. */
    public final Fingerprinter fingerprinter() {
        return fingerprinter;
    }

    @Override
    public final String scheme() {
        return fingerprinter.scheme();
    }

    @Override
    final Optional<Content> fingerprint(Map<String, Object> document) {
        return DocumentTexts.read(fingerprinter.recipe(), document)
                .map(texts -> new Content(fields(texts, memory), texts));
    }

    /** The fields to write for texts. */
    abstract Map<String, Object> fields(SourceTexts texts, LongConsumer account);

    @Override
    final String missing() {
        return "document has none of the fields "
                + fingerprinter.recipe().fields().stream()
                        .map(Recipe.WeightedField::path)
                        .toList()
                + " of the processor [" + getType() + "]";
    }

    /** Builds the processor; refuses unknown or invalid options. */
    public abstract static class Factory implements Processor.Factory {

        private final NodeAnalyzers analyzers;
        private final FingerprintBuffers buffers;
        final LongConsumer memory;
        final FingerprintCounts counts;

        /**
         * @param buffers may be shared with other factories; then their processors analyse a text once
         * @param memory accounts for the bytes
         */
        Factory(NodeAnalyzers analyzers, FingerprintBuffers buffers, LongConsumer memory, FingerprintCounts counts) {
            this.analyzers = analyzers;
            this.buffers = buffers;
            this.memory = memory;
            this.counts = counts;
        }

        abstract TextProcessor ofTexts(String tag, String description, Map<String, Object> options);

        final Fingerprinter fingerprinter(Recipe recipe) {
            return new Fingerprinter(recipe, analyzers.of(recipe), buffers);
        }
    }
}
