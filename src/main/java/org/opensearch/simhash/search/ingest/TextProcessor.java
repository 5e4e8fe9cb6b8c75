/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.Buffers;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.options.ProcessorOptions;

/**
 * An ingest processor that writes what a recipe makes of a document's texts: {@code simhash}, {@code minhash} and {@code passages}. With
 * the same text options, they analyse a text once. Thread-safe.
 */
public final class TextProcessor extends FingerprintProcessor {

    static final Map<SketchKind, Set<String>> OPTIONS = Map.of(
            SketchKind.SIMHASH,
            all(List.of(Target.WITH_BITS, RecipeParser.OPTIONS, GivenHash.OPTIONS, Set.of("segments"))),
            SketchKind.MINHASH,
            all(List.of(Target.OPTIONS, RecipeParser.SKETCH_OPTIONS)),
            SketchKind.PASSAGES,
            all(List.of(Target.OPTIONS, RecipeParser.PASSAGES_OPTIONS)));

    private final SketchKind kind;
    private final Fingerprinter fingerprinter;
    private final LongConsumer memory;

    private TextProcessor(
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

    private static Set<String> all(List<Collection<String>> options) {
        return options.stream().flatMap(Collection::stream).collect(Collectors.toUnmodifiableSet());
    }

    static boolean isOf(SketchKind kind, FingerprintProcessor processor) {
        return processor instanceof TextProcessor of && of.kind == kind;
    }

    @Override
    public String getType() {
        return kind.toString();
    }

    /** Makes the features. A query needs it to make comparable ones. */
    public Fingerprinter fingerprinter() {
        return fingerprinter;
    }

    @Override
    public String scheme() {
        return fingerprinter.scheme();
    }

    @Override
    Optional<Made> fingerprint(Map<String, Object> document) {
        return DocumentTexts.read(fingerprinter.recipe(), document).map(this::make);
    }

    private Made make(SourceTexts texts) {
        Recipe recipe = fingerprinter.recipe();
        Made made = new Made(this, texts);
        switch (kind) {
            case SIMHASH -> FingerprintFields.put(fingerprinter.fingerprint(texts, memory), recipe.segments(), made);
            case MINHASH -> made.putAll(FingerprintFields.of(fingerprinter.sketch(texts, memory), recipe.bandLayout()));
            case PASSAGES -> made.putAll(FingerprintFields.of(fingerprinter.passageTerms(texts, memory), scheme()));
        }
        return made;
    }

    @Override
    String missing() {
        return "document has none of the fields "
                + fingerprinter.recipe().fields().stream()
                        .map(Recipe.WeightedField::path)
                        .toList()
                + " of the processor [" + getType() + "]";
    }

    /** @param buffers may be shared with other factories; then their processors analyse a text once */
    public record Factory(
            SketchKind kind, NodeAnalyzers analyzers, Buffers buffers, LongConsumer memory, FingerprintCounts counts)
            implements Processor.Factory {

        /** A {@link TextProcessor}, or a {@link GivenHash} for {@code hash_field}. */
        @Override
        public FingerprintProcessor create(
                Map<String, Processor.Factory> registry, String tag, String description, Map<String, Object> options) {
            return kind != SketchKind.SIMHASH || options.get(GivenHash.HASH_FIELD) == null
                    ? ofTexts(tag, description, options)
                    : ProcessorOptions.read(
                            kind.toString(),
                            tag,
                            options,
                            OPTIONS.get(kind),
                            typed -> GivenHash.processor(tag, description, typed, counts));
        }

        TextProcessor ofTexts(String tag, String description, Map<String, Object> options) {
            return ProcessorOptions.read(kind.toString(), tag, options, OPTIONS.get(kind), typed -> {
                Target target = Target.read(typed, kind.defaultObject(), counts);
                Recipe recipe = recipe(typed);
                DocumentTexts.paths(recipe).forEach(target::requireApart);
                Fingerprinter fingerprinter = new Fingerprinter(recipe, analyzers.of(recipe), buffers);
                return new TextProcessor(kind, tag, description, target, fingerprinter, memory);
            });
        }

        private Recipe recipe(ProcessorOptions typed) {
            return switch (kind) {
                case SIMHASH -> {
                    GivenHash.refuseOptions(typed);
                    yield RecipeParser.parse(typed);
                }
                case MINHASH -> RecipeParser.parseSketch(typed);
                case PASSAGES -> RecipeParser.parsePassages(typed);
            };
        }
    }
}
