/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.fingerprint.FingerprintBuffers;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.options.ProcessorOptions;

/** The ingest processor {@code simhash} of texts: writes their fingerprint into the document. Thread-safe. */
public final class SimHashProcessor extends FingerprintProcessor {

    public static final String TYPE = "simhash";

    /** Includes the options of given hashes. */
    static final Set<String> OPTIONS = Stream.of(
                    Target.OPTIONS, RecipeParser.OPTIONS, GivenHash.OPTIONS, Set.of("segments"))
            .flatMap(Collection::stream)
            .collect(Collectors.toUnmodifiableSet());

    private final Fingerprinter fingerprinter;
    private final LongConsumer memory;

    SimHashProcessor(String tag, String description, Target target, Fingerprinter fingerprinter, LongConsumer memory) {
        super(tag, description, target, DocumentTexts.paths(fingerprinter.recipe()));
        this.fingerprinter = fingerprinter;
        this.memory = memory;
    }

    @Override
    public String getType() {
        return TYPE;
    }

    /** Makes the fingerprints. A query needs it to make comparable ones. */
    public Fingerprinter fingerprinter() {
        return fingerprinter;
    }

    @Override
    public String scheme() {
        return fingerprinter.scheme();
    }

    @Override
    Optional<Map<String, Object>> fingerprint(Map<String, Object> document) {
        Recipe recipe = fingerprinter.recipe();
        Optional<SourceTexts> texts = DocumentTexts.read(recipe, document);
        return texts.map(found -> FingerprintFields.of(fingerprinter.fingerprint(found, memory), recipe.segments()));
    }

    @Override
    String missing() {
        return "document has none of the fields "
                + fingerprinter.recipe().fields().stream()
                        .map(Recipe.WeightedField::path)
                        .toList()
                + " of the processor [simhash]";
    }

    /** Builds the processor; refuses unknown or invalid options. */
    public static final class Factory implements Processor.Factory {

        private final NodeAnalyzers analyzers;
        private final LongConsumer memory;
        private final FingerprintCounts counts;
        private final FingerprintBuffers buffers = new FingerprintBuffers();

        /** @param memory accounts for the bytes of fingerprinting */
        public Factory(NodeAnalyzers analyzers, LongConsumer memory, FingerprintCounts counts) {
            this.analyzers = analyzers;
            this.memory = memory;
            this.counts = counts;
        }

        /** A {@link SimHashProcessor}, or a {@link GivenHashProcessor} for {@code hash_field}. */
        @Override
        public FingerprintProcessor create(
                Map<String, Processor.Factory> registry, String tag, String description, Map<String, Object> options) {
            return options.get(GivenHash.HASH_FIELD) == null
                    ? ofTexts(tag, description, options, AnalyzerLimits.OF_PIPELINES)
                    : ProcessorOptions.read(
                            TYPE,
                            tag,
                            options,
                            OPTIONS,
                            typed -> GivenHashProcessor.read(tag, description, typed, counts));
        }

        SimHashProcessor ofTexts(String tag, String description, Map<String, Object> options, AnalyzerLimits limits) {
            return ProcessorOptions.read(TYPE, tag, options, OPTIONS, typed -> {
                FingerprintProcessor.Target target = FingerprintProcessor.Target.read(typed, counts);
                GivenHash.refuseOptions(typed);
                Recipe recipe = RecipeParser.parse(typed);
                DocumentTexts.paths(recipe).forEach(target::requireApart);
                Fingerprinter fingerprinter = new Fingerprinter(recipe, analyzers.of(recipe, limits), buffers);
                return new SimHashProcessor(tag, description, target, fingerprinter, memory);
            });
        }
    }
}
