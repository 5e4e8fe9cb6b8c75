/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.language.LanguageAnalyzers;
import org.opensearch.simhash.core.passages.PassageLayout;

/** The default recipe, with what a test wants otherwise. */
public final class RecipeBuilder {

    private List<WeightedField> fields = List.of(new WeightedField("content", 1));
    private int minShingleSize = 1;
    private int maxShingleSize = 2;
    private Weighting weighting = Weighting.LOG_TF;
    private HashFunction hashFunction = HashFunction.XXH3;
    private Map<String, Double> featureWeights = Map.of();
    private int segments = 4;
    private int minFeatures = 8;
    private HtmlExtraction html = HtmlExtraction.NONE;
    private Object analyzer = "standard";

    private Boilerplate strip = Boilerplate.NONE;
    private PassageLayout passages;

    public RecipeBuilder shingles(int min, int max) {
        minShingleSize = min;
        maxShingleSize = max;
        return this;
    }

    public RecipeBuilder weighting(Weighting value) {
        weighting = value;
        return this;
    }

    public RecipeBuilder hashFunction(HashFunction value) {
        hashFunction = value;
        return this;
    }

    public RecipeBuilder featureWeights(Map<String, Double> value) {
        featureWeights = value;
        return this;
    }

    public RecipeBuilder segments(int value) {
        segments = value;
        return this;
    }

    public RecipeBuilder minFeatures(int value) {
        minFeatures = value;
        return this;
    }

    public RecipeBuilder html(HtmlExtraction value) {
        html = value;
        return this;
    }

    public RecipeBuilder analyzer(Object value) {
        analyzer = value;
        return this;
    }

    public RecipeBuilder fields(WeightedField... value) {
        fields = List.of(value);
        return this;
    }

    public RecipeBuilder strip(Boilerplate value) {
        strip = value;
        return this;
    }

    /** Of passages, in place of a fingerprint. */
    public RecipeBuilder passages(PassageLayout value) {
        passages = value;
        return shingles(1, 1).minFeatures(1);
    }

    public Recipe build() {
        return new Recipe(
                fields,
                html,
                analyzer,
                null,
                false,
                Map.of(),
                minShingleSize,
                maxShingleSize,
                weighting,
                hashFunction,
                featureWeights,
                new SegmentLayout(segments),
                minFeatures,
                null,
                passages,
                strip);
    }

    /** The recipe with one analyzer for all languages. */
    public Fingerprinter with(Analyzer luceneAnalyzer) {
        return new Fingerprinter(build(), new LanguageAnalyzers(luceneAnalyzer, Map.of(), null));
    }

    public Fingerprinter standard() {
        return with(new StandardWordAnalyzer());
    }
}
