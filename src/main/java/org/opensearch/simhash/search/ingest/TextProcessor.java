/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.core.fingerprint.FingerprintBuffers;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.PassageFields;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.SketchFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.SourceTexts;
import org.opensearch.simhash.search.options.ProcessorOptions;

/**
 * An ingest processor that writes what a recipe makes of a document's texts: {@code simhash}, {@code minhash} and {@code passages}. With
 * the same text options, they analyse a text once. Thread-safe.
 */
public class TextProcessor extends FingerprintProcessor {

    /** Beside {@link SimHashProcessor#OPTIONS}. */
    static final Map<SketchKind, Set<String>> OPTIONS = Map.of(
            SketchKind.MINHASH, options(RecipeParser.SKETCH_OPTIONS),
            SketchKind.PASSAGES, options(RecipeParser.PASSAGES_OPTIONS));

    private final SketchKind kind;
    private final Fingerprinter fingerprinter;
    private final LongConsumer memory;

    TextProcessor(
            SketchKind kind,
            String tag,
            String description,
            Target target,
            Fingerprinter fingerprinter,
            LongConsumer memory) {
        super(tag, description, target, DocumentTexts.paths(fingerprinter.recipe()));
        this.kind = kind;
        this.fingerprinter = fingerprinter;
        this.memory = memory;
    }

    private static Set<String> options(Collection<String> ofRecipe) {
        return Stream.concat(Target.OPTIONS.stream(), ofRecipe.stream()).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a processor writes this kind, of texts. */
    static boolean isOf(SketchKind kind, FingerprintProcessor processor) {
        return processor instanceof TextProcessor of && of.kind == kind;
    }

    @Override
    public final String getType() {
        return kind.toString();
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
        return DocumentTexts.read(fingerprinter.recipe(), document).map(texts -> new Content(fields(texts), texts));
    }

    /** The fields to write for texts. */
    private Map<String, Object> fields(SourceTexts texts) {
        Recipe recipe = fingerprinter.recipe();
        return switch (kind) {
            case SIMHASH -> FingerprintFields.of(fingerprinter.fingerprint(texts, memory), recipe.segments());
            case MINHASH -> SketchFields.of(fingerprinter.sketch(texts, memory), recipe.bandLayout());
            case PASSAGES -> PassageFields.of(fingerprinter.passageTerms(texts, memory), scheme());
        };
    }

    @Override
    final String missing() {
        return "document has none of the fields "
                + fingerprinter.recipe().fields().stream()
                        .map(Recipe.WeightedField::path)
                        .toList()
                + " of the processor [" + getType() + "]";
    }

    /** Builds the processor; refuses unknown or invalid options. */
    public static class Factory implements Processor.Factory {

        private final SketchKind kind;
        private final NodeAnalyzers analyzers;
        private final FingerprintBuffers buffers;
        final LongConsumer memory;
        final FingerprintCounts counts;

        /**
         * @param buffers may be shared with other factories; then their processors analyse a text once
         * @param memory accounts for the bytes
         */
        public Factory(
                SketchKind kind,
                NodeAnalyzers analyzers,
                FingerprintBuffers buffers,
                LongConsumer memory,
                FingerprintCounts counts) {
            this.kind = kind;
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

        TextProcessor ofTexts(String tag, String description, Map<String, Object> options) {
            return read(
                    tag,
                    options,
                    OPTIONS.get(kind),
                    kind == SketchKind.MINHASH ? RecipeParser::parseSketch : RecipeParser::parsePassages,
                    (target, fingerprinter) ->
                            new TextProcessor(kind, tag, description, target, fingerprinter, memory));
        }

        /** Reads all options. */
        final <P extends TextProcessor> P read(
                String tag,
                Map<String, Object> options,
                Set<String> known,
                Function<ProcessorOptions, Recipe> parser,
                BiFunction<Target, Fingerprinter, P> maker) {
            return ProcessorOptions.read(kind.toString(), tag, options, known, typed -> {
                Target target = Target.read(typed, kind.defaultObject(), counts);
                Recipe recipe = parser.apply(typed);
                DocumentTexts.paths(recipe).forEach(target::requireApart);
                return maker.apply(target, new Fingerprinter(recipe, analyzers.of(recipe), buffers));
            });
        }
    }
}
