/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.simhash.core.facts.ContentWords;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.language.LanguageDetector;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.core.sketch.BandLayout;

/**
 * How a document becomes a fingerprint or a sketch: the options, validated only here, and shared by processor, query and
 * verification. Immutable.
 *
 * @param fields where the text is, with weights
 * @param html which parts of HTML are text
 * @param analyzer name or inline definition, for texts without a known language
 * @param languageField path of the field with the language code, or null
 * @param languageDetection whether a missing language is detected
 * @param analyzers analyzer name or definition by language code (lowercase)
 * @param minShingleSize fewest tokens of a feature
 * @param maxShingleSize most tokens of a feature
 * @param weighting how counts and lengths become weights; of no account in sketches and passages, which are sets
 * @param hashFunction hash of a feature
 * @param featureWeights factor by feature; 0 removes the feature
 * @param segments how the fingerprint is cut for the index
 * @param minFeatures texts with fewer distinct features get no fingerprint
 * @param bandLayout of a MinHash sketch; null for others
 * @param passages how passages become terms; null for others
 * @param strip blocks that are no text
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
        Map<String, Double> featureWeights,
        SegmentLayout segments,
        int minFeatures,
        BandLayout bandLayout,
        PassageLayout passages,
        Boilerplate strip) {

    public static final int MAX_SHINGLE_SIZE = 8;
    /** The default for sketches: the shingles of {@code verify}, so that both measure the same similarity. */
    public static final int SKETCHED_SHINGLES = 3;

    /** Each document is searched for all of them. */
    private static final int MAX_FIELDS = 100;

    public static final int MAX_FEATURE_WEIGHTS = 50_000;
    /** Far below what could overflow a sum of votes. */
    public static final double MAX_WEIGHT = 1000;

    /** Changes whenever a result changes. */
    private static final String ALGORITHM = "v3";
    /** The same for sketches. */
    private static final String SKETCH_ALGORITHM = "m2";
    /** The same for passages. */
    private static final String PASSAGES_ALGORITHM = "p1";

    /**
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

    public Recipe {
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("[fields] must name at least one field, got: []");
        }
        TypedNumber.requireAtMost("[fields]", MAX_FIELDS, "fields", fields.size());
        List<String> paths = fields.stream().map(WeightedField::path).toList();
        if (Set.copyOf(paths).size() < paths.size()) {
            throw new IllegalArgumentException("[fields] must name a field once, got: " + paths);
        }
        TypedNumber.requireBetween("min_shingle_size", 1, MAX_SHINGLE_SIZE, minShingleSize);
        TypedNumber.requireBetween("max_shingle_size", 1, MAX_SHINGLE_SIZE, maxShingleSize);
        if (minShingleSize > maxShingleSize) {
            throw new IllegalArgumentException("[min_shingle_size] must be at most [max_shingle_size], got: "
                    + minShingleSize + " and " + maxShingleSize);
        }
        if (minFeatures < 1) {
            throw new IllegalArgumentException("[min_features] must be 1 or more, got: " + minFeatures);
        }
        TypedNumber.requireAtMost("[feature_weights]", MAX_FEATURE_WEIGHTS, "entries", featureWeights.size());
        featureWeights.forEach((feature, factor) ->
                TypedNumber.requireBetween("feature_weights] factor of [" + feature, 0, (int) MAX_WEIGHT, factor));
        fields = List.copyOf(fields);
        analyzers = Map.copyOf(analyzers);
        featureWeights = Map.copyOf(featureWeights);
    }

    /**
     * The id of the recipe: {@code v3-}, {@code m2-} for a sketch or {@code p1-} for passages, and 8 hex digits over all options
     * that change the result for a text. Other options (source and target fields, segments, least number of features) leave
     * fingerprints comparable.
     */
    public String scheme() {
        Map<String, Object> options = analysisOptions();
        if (passages != null) {
            options.put("passages", List.of(passages.words(), passages.window()));
            return PASSAGES_ALGORITHM + "-" + HexFormat.of().toHexDigits((int) hash(options));
        }
        options.put("shingles", List.of(minShingleSize, maxShingleSize));
        if (bandLayout == null) {
            options.put("weights", fields.stream().map(WeightedField::weight).toList());
            options.put("weighting", weighting);
            if (FeatureKind.areWeighted(this)) {
                options.put(
                        "kinds",
                        Arrays.stream(FeatureKind.values())
                                .map(FeatureKind::weight)
                                .toList());
            }
            options.put("features", featureWeights);
            return ALGORITHM + "-" + HexFormat.of().toHexDigits((int) hash(options));
        }
        options.put("without", List.copyOf(new TreeSet<>(unwanted())));
        options.put("bands", List.of(bandLayout.permutations(), bandLayout.bands(), bandLayout.rows()));
        return SKETCH_ALGORITHM + "-" + HexFormat.of().toHexDigits((int) hash(options));
    }

    /** The default sketch of the same tokens. */
    public Recipe sketching() {
        return new Recipe(
                fields,
                html,
                analyzer,
                languageField,
                languageDetection,
                analyzers,
                SKETCHED_SHINGLES,
                SKETCHED_SHINGLES,
                Weighting.LOG_TF,
                hashFunction,
                featureWeights,
                segments,
                BandLayout.DEFAULT_ROWS,
                BandLayout.DEFAULT,
                null,
                strip);
    }

    /** The id of the analysis: equal for recipes that cut texts into the same tokens. */
    String analysis() {
        return HexFormat.of().toHexDigits(hash(analysisOptions()));
    }

    private List<String> unwanted() {
        return featureWeights.keySet().stream()
                .filter(feature -> featureWeights.get(feature) == 0)
                .toList();
    }

    private Map<String, Object> analysisOptions() {
        Map<String, Object> options = new HashMap<>();
        options.put("html", html);
        options.put("analyzer", analyzer);
        if (languageField != null || languageDetection) {
            options.put("analyzers", analyzers);
        }
        if (languageDetection) {
            options.put("detection", List.of(LanguageDetector.MODEL, "of the document", LanguageDetector.SAMPLING));
        }
        options.put("hash", hashFunction);
        options.put("seed", HashFunction.SEED);
        options.put("folding", true); // by Folding.LETTERS, always
        if (ContentWords.NAME.equals(analyzer)) {
            options.put("function words", ContentWords.VERSION);
        }
        if (strip.isEmpty() == false) { // schemes from before it stay
            options.put("strip", strip.digests());
        }
        return options;
    }

    private static long hash(Map<String, Object> options) {
        StringBuilder written = new StringBuilder();
        write(options, written);
        return Hashing.murmur3_128().hashBytesToLong(written.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes options so that different options have different texts. The order of a map's keys does not matter. Each value
     * begins with its kind and size: {@code ["the"]} is {@code [1]3"the}, the text {@code [the]} is {@code 5"[the]}. A
     * number is written as text, as analyzer settings read it.
     */
    private static void write(Object value, StringBuilder written) {
        switch (value) {
            case null -> written.append('-');
            case Map<?, ?> map -> {
                TreeMap<String, Object> sorted = new TreeMap<>();
                map.forEach((key, inner) -> sorted.put(key.toString(), inner));
                written.append('{').append(sorted.size()).append('}');
                sorted.forEach((key, inner) -> {
                    write(key, written);
                    write(inner, written);
                });
            }
            case List<?> list -> {
                written.append('[').append(list.size()).append(']');
                list.forEach(inner -> write(inner, written));
            }
            default -> {
                String text = value.toString();
                written.append(text.length()).append('"').append(text);
            }
        }
    }

    /**
     * The weight of a feature, by its count and length. Weights are integers in units of 1/{@link #ONE}, so a sum is the same in any
     * order, on every machine.
     */
    public enum Weighting {
        /** {@code 1 + ln(count)}: a frequent word does not drown the others. */
        LOG_TF,
        /** The count itself, as in Charikar's paper and most implementations. */
        TF,
        /** {@link #LOG_TF} times {@code 1 + ln(letters)}: long words say more than short ones. */
        LOG_LENGTH;

        /** The weight of a feature that occurs once. */
        public static final int ONE = 256;

        private static final long[] LOGARITHMS = new long[256];

        static {
            for (int count = 1; count < LOGARITHMS.length; count++) {
                LOGARITHMS[count] = logarithmic(count);
            }
        }

        public long weight(int count) {
            return this == TF ? (long) count * ONE : count < LOGARITHMS.length ? LOGARITHMS[count] : logarithmic(count);
        }

        /** What the weight is multiplied by for a feature of so many letters. */
        double ofLetters(int letters) {
            return this == LOG_LENGTH ? 1 + StrictMath.log(Math.clamp(letters, 1, FeatureCounts.MOST_LETTERS)) : 1;
        }

        /** StrictMath gives the same last bit on every platform. */
        private static long logarithmic(int count) {
            return StrictMath.round(ONE * (1 + StrictMath.log(count)));
        }
    }
}
