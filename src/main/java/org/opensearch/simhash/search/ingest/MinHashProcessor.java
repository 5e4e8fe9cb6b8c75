/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.core.fingerprint.FingerprintBuffers;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.SketchFields;
import org.opensearch.simhash.core.fingerprint.SourceTexts;

/**
 * The ingest processor {@code minhash}: writes the MinHash sketch of a document's texts. It costs no analysis beside a
 * {@code simhash} processor with the same text options. Thread-safe.
 */
public final class MinHashProcessor extends TextProcessor {

    public static final String TYPE = "minhash";

    static final Set<String> OPTIONS = Stream.of(Target.OPTIONS, RecipeParser.SKETCH_OPTIONS)
            .flatMap(Collection::stream)
            .collect(Collectors.toUnmodifiableSet());

    private MinHashProcessor(
            String tag, String description, Target target, Fingerprinter fingerprinter, LongConsumer memory) {
        super(tag, description, target, fingerprinter, memory);
    }

    @Override
    public String getType() {
        return TYPE;
    }

    @Override
    Map<String, Object> fields(SourceTexts texts, LongConsumer account) {
        return SketchFields.of(
                fingerprinter().sketch(texts, account), fingerprinter().recipe().bandLayout());
    }

    /** Builds the processor; refuses unknown or invalid options. */
    public static final class Factory extends TextProcessor.Factory {

        /**
         * @param buffers may be shared with other factories; then their processors analyse a text once
         * @param memory accounts for the bytes of sketching
         */
        public Factory(
                NodeAnalyzers analyzers, FingerprintBuffers buffers, LongConsumer memory, FingerprintCounts counts) {
            super(analyzers, buffers, memory, counts);
        }

        @Override
        MinHashProcessor ofTexts(String tag, String description, Map<String, Object> options) {
            return read(
                    TYPE,
                    tag,
                    options,
                    OPTIONS,
                    SketchFields.DEFAULT_OBJECT,
                    RecipeParser::parseSketch,
                    (target, fingerprinter) -> new MinHashProcessor(tag, description, target, fingerprinter, memory));
        }
    }
}
