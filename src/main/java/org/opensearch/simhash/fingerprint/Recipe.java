/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.simhash.fingerprint.html.HtmlExtraction;

/**
 * How a document becomes a fingerprint. The only place that validates these options; processor, query and verification
 * share it. Immutable.
 *
 * @param fields where the text is, with weights
 * @param html which parts of HTML are text
 * @param analyzer name or inline definition, for texts without a known language
 * @param languageField path of the field with the language code, or null
 * @param languageDetection whether a missing language is detected from the text
 * @param analyzers language code (lowercase) to analyzer name or definition
 * @param minShingleSize fewest tokens of a feature
 * @param maxShingleSize most tokens of a feature
 * @param weighting how counts become weights
 * @param hashFunction hash of a feature
 * @param folding whether features are folded by {@link Folding#LETTERS}
 * @param featureWeights feature to factor; 0 removes the feature
 * @param segments how the fingerprint is cut for the index
 * @param minFeatures a text with fewer distinct features gets no fingerprint
 */
public record Recipe(
        List<WeightedField> fields,
        HtmlExtraction html,
        Object analyzer,
        String languageField,
        boolean languageDetection,
        Map<String, Object> analyzers,
        int minShingleSize,
        int maxShingleSize,
        Weighting weighting,
        HashFunction hashFunction,
        boolean folding,
        Map<String, Double> featureWeights,
        SegmentLayout segments,
        int minFeatures) {

    public static final int MAX_SHINGLE_SIZE = 8;
    public static final int MAX_FEATURE_WEIGHTS = 50_000;
    /** Far below what could overflow a sum of votes. */
    public static final double MAX_WEIGHT = 1000;

    /** Changes with the algorithm, whenever a result changes. */
    private static final String ALGORITHM = "v2";

    /**
     * A field and the weight of its features.
     *
     * @param path dot path
     * @param weight above 0, at most {@link #MAX_WEIGHT}
     */
    public record WeightedField(String path, double weight) {
        public WeightedField {
            if ((weight > 0 && weight <= MAX_WEIGHT) == false) {
                throw new IllegalArgumentException("[fields] weight of [" + path
                        + "] must be greater than 0 and at most " + (int) MAX_WEIGHT + ", got: " + weight);
            }
        }
    }

    /** @throws IllegalArgumentException naming the option, the rule and the value */
    public Recipe {
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("[fields] must name at least one field, got: []");
        }
        List<String> paths = fields.stream().map(WeightedField::path).toList();
        if (Set.copyOf(paths).size() < paths.size()) {
            throw new IllegalArgumentException("[fields] must name a field once, got: " + paths);
        }
        checkShingleSize("min_shingle_size", minShingleSize);
        checkShingleSize("max_shingle_size", maxShingleSize);
        if (minShingleSize > maxShingleSize) {
            throw new IllegalArgumentException("[min_shingle_size] must be at most [max_shingle_size], got: "
                    + minShingleSize + " and " + maxShingleSize);
        }
        if (minFeatures < 1) {
            throw new IllegalArgumentException("[min_features] must be 1 or more, got: " + minFeatures);
        }
        if (featureWeights.size() > MAX_FEATURE_WEIGHTS) {
            throw new IllegalArgumentException("[feature_weights] must have at most " + MAX_FEATURE_WEIGHTS
                    + " entries, got: " + featureWeights.size());
        }
        featureWeights.forEach((feature, factor) -> {
            if ((factor >= 0 && factor <= MAX_WEIGHT) == false) {
                throw new IllegalArgumentException("[feature_weights] factor of [" + feature
                        + "] must be between 0 and " + (int) MAX_WEIGHT + ", got: " + factor);
            }
        });
        fields = List.copyOf(fields);
        analyzers = Map.copyOf(analyzers);
        featureWeights = Map.copyOf(featureWeights);
    }

    /**
     * The id of the recipe: {@code v2-} and 8 hex digits over every option that changes the fingerprint or digest of a
     * text. Fields, target, segments and {@code minFeatures} are not part of it, so fingerprints stay comparable when
     * these change.
     */
    public String scheme() {
        Map<String, Object> options = new HashMap<>();
        options.put("weights", fields.stream().map(WeightedField::weight).toList());
        options.put("html", html);
        options.put("analyzer", analyzer);
        if (languageField != null || languageDetection) {
            options.put("analyzers", analyzers);
        }
        if (languageDetection) {
            options.put("detection", List.of(LanguageDetector.MODEL, "of the document", LanguageDetector.SAMPLING));
        }
        options.put("shingles", List.of(minShingleSize, maxShingleSize));
        options.put("weighting", weighting);
        if (CharacterFeatures.areDamped(this)) {
            options.put("characters", CharacterFeatures.WEIGHT);
        }
        options.put("hash", hashFunction);
        options.put("seed", HashFunction.SEED);
        options.put("folding", folding);
        options.put("features", featureWeights);
        byte[] written = CanonicalForm.of(options).getBytes(StandardCharsets.UTF_8);
        long hash = Hashing.murmur3_128().hashBytesToLong(written);
        return ALGORITHM + "-" + HexFormat.of().toHexDigits((int) hash);
    }

    private static void checkShingleSize(String option, int size) {
        if (size < 1 || size > MAX_SHINGLE_SIZE) {
            throw new IllegalArgumentException(
                    "[" + option + "] must be between 1 and " + MAX_SHINGLE_SIZE + ", got: " + size);
        }
    }
}
