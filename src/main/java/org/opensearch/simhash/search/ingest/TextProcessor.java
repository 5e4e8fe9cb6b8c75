/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.core.fingerprint.FingerprintBuffers;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.SourceTexts;
import org.opensearch.simhash.search.options.ProcessorOptions;

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

        @Override
        public FingerprintProcessor create(
                Map<String, Processor.Factory> registry, String tag, String description, Map<String, Object> options) {
            return ofTexts(tag, description, options);
        }

        abstract TextProcessor ofTexts(String tag, String description, Map<String, Object> options);

        /**
         * Reads all options.
         *
         * @param object that is written to unless {@code target_field} says otherwise
         */
        final <P extends TextProcessor> P read(
                String type,
                String tag,
                Map<String, Object> options,
                Set<String> known,
                String object,
                Function<ProcessorOptions, Recipe> parser,
                BiFunction<Target, Fingerprinter, P> maker) {
            return ProcessorOptions.read(type, tag, options, known, typed -> {
                Target target = Target.read(typed, object, counts);
                Recipe recipe = parser.apply(typed);
                DocumentTexts.paths(recipe).forEach(target::requireApart);
                return maker.apply(target, new Fingerprinter(recipe, analyzers.of(recipe), buffers));
            });
        }
    }
}
