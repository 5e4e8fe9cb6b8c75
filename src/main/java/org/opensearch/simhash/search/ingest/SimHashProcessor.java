/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.core.fingerprint.FingerprintBuffers;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.HashFormat;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.options.ProcessorOptions;

/**
 * The ingest processor {@code simhash} of texts: writes the fingerprint of a document's texts into the document. Thread-safe.
 */
public final class SimHashProcessor extends TextProcessor {

    public static final String TYPE = "simhash";

    /** Includes the options of given hashes. */
    static final Set<String> OPTIONS = Stream.of(
                    Target.WITH_BITS, RecipeParser.OPTIONS, GivenHash.OPTIONS, Set.of("segments"))
            .flatMap(Collection::stream)
            .collect(Collectors.toUnmodifiableSet());

    private SimHashProcessor(
            String tag, String description, Target target, Fingerprinter fingerprinter, LongConsumer memory) {
        super(SketchKind.SIMHASH, tag, description, target, fingerprinter, memory);
    }

    /** Builds the processor; refuses unknown or invalid options. */
    public static final class Factory extends TextProcessor.Factory {

        /**
         * @param buffers may be shared with other factories; then their processors analyse a text once
         * @param memory accounts for the bytes of fingerprinting
         */
        public Factory(
                NodeAnalyzers analyzers, FingerprintBuffers buffers, LongConsumer memory, FingerprintCounts counts) {
            super(SketchKind.SIMHASH, analyzers, buffers, memory, counts);
        }

        /** A {@link SimHashProcessor}, or a {@link GivenHashProcessor} for {@code hash_field}. */
        @Override
        public FingerprintProcessor create(
                Map<String, Processor.Factory> registry, String tag, String description, Map<String, Object> options) {
            return options.get(GivenHash.HASH_FIELD) == null
                    ? ofTexts(tag, description, options)
                    : ProcessorOptions.read(
                            TYPE,
                            tag,
                            options,
                            OPTIONS,
                            typed -> GivenHashProcessor.read(tag, description, typed, counts));
        }

        @Override
        SimHashProcessor ofTexts(String tag, String description, Map<String, Object> options) {
            return read(
                    tag,
                    options,
                    OPTIONS,
                    typed -> {
                        GivenHash.refuseOptions(typed);
                        return RecipeParser.parse(typed);
                    },
                    (target, fingerprinter) -> new SimHashProcessor(tag, description, target, fingerprinter, memory));
        }
    }

    /**
     * The ingest processor {@code simhash} with {@code hash_field}: writes a given hash of 64 or 256 bits, such as an image's, as a
     * fingerprint. Thread-safe.
     */
    private static final class GivenHashProcessor extends FingerprintProcessor {

        private final GivenHash hash;

        private GivenHashProcessor(String tag, String description, Target target, GivenHash hash) {
            super(tag, description, target, List.of(hash.path()));
            this.hash = hash;
        }

        static GivenHashProcessor read(
                String tag, String description, ProcessorOptions options, FingerprintCounts counts) {
            Target target = Target.read(options, counts);
            GivenHash hash = GivenHash.read(options);
            target.requireApart(hash.path());
            return new GivenHashProcessor(tag, description, target, hash);
        }

        @Override
        public String getType() {
            return SimHashProcessor.TYPE;
        }

        @Override
        public String scheme() {
            return hash.scheme();
        }

        @Override
        Optional<Content> fingerprint(Map<String, Object> document) {
            Object value = DocumentValues.asItStands(hash.path(), document);
            if (value == null) {
                return Optional.empty();
            }
            long[] words = hash.format().words(hash.path(), value, hash.length());
            return Optional.of(new Content(GivenHash.fields(words, hash.scheme(), hash.segments()), null));
        }

        /**
         * Numbers that may be above 2^63 become strings, each of them, so that a dynamic mapping takes all of them: such a one does not
         * fit into the {@code long} that a smaller one would make of it.
         */
        @Override
        void written(IngestDocument document) {
            if (hash.format().isWide(hash.length()) == false) {
                return;
            }
            Object value = document.getFieldValue(hash.path(), Object.class, true);
            List<?> parts = HashFormat.parts(value);
            if (value instanceof Number number) {
                document.setFieldValue(hash.path(), number.toString());
            } else if (parts != null) {
                document.setFieldValue(
                        hash.path(),
                        parts.stream().map(String::valueOf).collect(Collectors.toCollection(ArrayList::new)));
            }
        }

        @Override
        String missing() {
            return "document has no field [" + hash.path() + "], the [hash_field] of the processor [simhash]";
        }
    }
}
