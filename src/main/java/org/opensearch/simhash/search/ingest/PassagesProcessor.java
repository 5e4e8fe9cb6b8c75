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
import org.opensearch.simhash.core.fingerprint.PassageFields;
import org.opensearch.simhash.core.fingerprint.SourceTexts;

/**
 * The ingest processor {@code passages}: writes the terms by which passages of a document's texts are found in others. It costs no
 * analysis beside a {@code simhash} processor with the same text options. Thread-safe.
 */
public final class PassagesProcessor extends TextProcessor {

    public static final String TYPE = "passages";

    static final Set<String> OPTIONS = Stream.of(Target.OPTIONS, RecipeParser.PASSAGES_OPTIONS)
            .flatMap(Collection::stream)
            .collect(Collectors.toUnmodifiableSet());

    private PassagesProcessor(
            String tag, String description, Target target, Fingerprinter fingerprinter, LongConsumer memory) {
        super(tag, description, target, fingerprinter, memory);
    }

    @Override
    public String getType() {
        return TYPE;
    }

    @Override
    Map<String, Object> fields(SourceTexts texts, LongConsumer account) {
        return PassageFields.of(fingerprinter().passageTerms(texts, account), scheme());
    }

    /** Builds the processor; refuses unknown or invalid options. */
    public static final class Factory extends TextProcessor.Factory {

        /**
         * @param buffers may be shared with other factories; then their processors analyse a text once
         * @param memory accounts for the bytes of words
         */
        public Factory(
                NodeAnalyzers analyzers, FingerprintBuffers buffers, LongConsumer memory, FingerprintCounts counts) {
            super(analyzers, buffers, memory, counts);
        }

        @Override
        PassagesProcessor ofTexts(String tag, String description, Map<String, Object> options) {
            return read(
                    TYPE,
                    tag,
                    options,
                    OPTIONS,
                    PassageFields.DEFAULT_OBJECT,
                    RecipeParser::parsePassages,
                    (target, fingerprinter) -> new PassagesProcessor(tag, description, target, fingerprinter, memory));
        }
    }
}
