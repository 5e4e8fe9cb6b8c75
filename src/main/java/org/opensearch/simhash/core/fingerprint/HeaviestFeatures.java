/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.FeatureSink;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.WeightedFeature;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;

/** The heaviest features of a fingerprint, with their texts. One thread. */
record HeaviestFeatures(Fingerprinter fingerprinter, FeatureFactors factors, LongConsumer memory) {

    /** Map entry, count and string of one feature. */
    private static final int BYTES_PER_FEATURE = 128;

    List<WeightedFeature> of(SourceTexts texts, int limit) {
        Map<String, Double> weights = new HashMap<>();
        Analyzer analyzer = fingerprinter.analyzer(texts, memory);
        for (FieldTexts field : texts.fields()) {
            count(field, analyzer)
                    .forEach((text, counted) -> weights.merge(text, weight(text, counted, field), Double::sum));
        }
        return weights.entrySet().stream()
                .filter(feature -> feature.getValue() > 0)
                .map(feature -> new WeightedFeature(feature.getKey(), feature.getValue()))
                .sorted()
                .limit(limit)
                .toList();
    }

    private Map<String, Counted> count(FieldTexts field, Analyzer analyzer) {
        Map<String, Counted> counts = new HashMap<>();
        FeatureSink sink = (hash, kind, utf8, offset, length) -> {
            String feature = new String(utf8, offset, length, StandardCharsets.UTF_8);
            Counted counted = counts.get(feature);
            if (counted == null) {
                memory.accept(BYTES_PER_FEATURE + length);
                counted = new Counted(hash, kind);
                counts.put(feature, counted);
            }
            counted.count++;
        };
        fingerprinter.features(field, analyzer, sink, memory);
        return counts;
    }

    private double weight(String text, Counted feature, FieldTexts field) {
        Recipe recipe = fingerprinter.recipe();
        double ofKind = FeatureKind.areWeighted(recipe) ? feature.kind.weight() : 1;
        double ofCount = (double) recipe.weighting().weight(feature.count) / Weighting.ONE;
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        double ofLetters = recipe.weighting().ofLetters(Fingerprinter.letters(utf8, 0, utf8.length));
        return ofCount * ofLetters * field.weight() * factors.factor(feature.hash) * ofKind;
    }

    private static final class Counted {
        private final long hash;
        private final FeatureKind kind;
        private int count;

        Counted(long hash, FeatureKind kind) {
            this.hash = hash;
            this.kind = kind;
        }
    }
}
