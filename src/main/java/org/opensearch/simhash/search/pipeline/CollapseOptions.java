/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.simhash.core.fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.HitPrints;
import org.opensearch.simhash.search.query.SimHashExt;
import org.opensearch.simhash.search.query.Threshold;
import org.opensearch.simhash.search.query.VerifyOptions;

/**
 * The options of {@code collapse_near_duplicates}, for both sides of a pipeline. Null: not given.
 *
 * @param field the object of fingerprints or sketches
 * @param maxDistance most differing bits of near-duplicates
 * @param oversample factor of the hits asked for, up to the end of the page
 * @param sketch kind of what hits are compared by
 * @param minSimilarity least similarity of sketches of near-duplicates
 * @param containment whether the similarity of sketches is the share of the smaller text
 * @param passages what texts must share
 * @param verify how similar texts must be
 * @param conditions on a pair of near-duplicates
 * @param by whether hits of one group are near, in place of those with near prints
 */
record CollapseOptions(
        String field,
        Integer maxDistance,
        Double oversample,
        SketchKind sketch,
        Double minSimilarity,
        Boolean containment,
        PassageRule passages,
        Verify verify,
        PairConditions conditions,
        By by) {

    enum By {
        PRINT,
        GROUP
    }

    /** @param verification null if texts are not compared */
    record Verify(Verification verification) {}

    static final String TYPE = "collapse_near_duplicates";

    private static final String FIELD = "field";
    private static final String MAX_DISTANCE = "max_distance";
    private static final String OVERSAMPLE = "oversample";
    private static final String SKETCH = "sketch";
    private static final String MIN_SIMILARITY = "min_similarity";
    private static final String CONTAINMENT = "containment";
    private static final String MIN_WORDS = PassageRule.MIN_WORDS;
    private static final String MIN_SHARE = PassageRule.MIN_SHARE;
    private static final String VERIFY = "verify";
    private static final String SAME = "same";
    private static final String DIFFER = "differ";
    private static final String WITHIN = "within";
    private static final String BY = "by";
    private static final Set<String> OPTIONS = Set.of(
            FIELD,
            MAX_DISTANCE,
            OVERSAMPLE,
            SKETCH,
            MIN_SIMILARITY,
            CONTAINMENT,
            MIN_WORDS,
            MIN_SHARE,
            VERIFY,
            SAME,
            DIFFER,
            WITHIN,
            BY);

    private static final String SIMILARITY = "must be a number between 0 and 1";

    private static final String FACTOR = "must be a factor of 1 or more";

    private static final double DEFAULT_OVERSAMPLE = 3;

    /** A page does not tell which passages are blocks, and a footer must not hide hits. */
    private static final double DEFAULT_SHARE = .8;

    CollapseOptions {
        if (minSimilarity != null && (minSimilarity >= 0 && minSimilarity <= 1) == false) {
            throw new IllegalArgumentException("[min_similarity] " + SIMILARITY + ", got: " + minSimilarity);
        }
        if (maxDistance != null) {
            MaxDistance.require(maxDistance);
        }
        if (oversample != null && (oversample >= 1 && oversample < Double.POSITIVE_INFINITY) == false) {
            throw new IllegalArgumentException("[oversample] " + FACTOR + ", got: " + oversample);
        }
    }

    /**
     * Removes the options from a processor's definition.
     *
     * @param tag of the processor, for messages; may be null
     * @throws org.opensearch.OpenSearchParseException naming the option, the rule and the value
     */
    static CollapseOptions parse(String tag, Map<String, Object> definition) {
        return ProcessorOptions.read(TYPE, tag, definition, OPTIONS, CollapseOptions::of);
    }

    /**
     * The options of a search, which stand alone.
     *
     * @throws org.opensearch.OpenSearchParseException as {@link #parse}
     */
    static CollapseOptions whole(Map<String, Object> typed) {
        return ProcessorOptions.read(SimHashExt.DISTINCT, null, new HashMap<>(typed), OPTIONS, options -> {
            CollapseOptions whole = of(options);
            whole.requireOneKind();
            return whole;
        });
    }

    private static CollapseOptions of(ProcessorOptions typed) {
        return new CollapseOptions(
                typed.field(FIELD, null),
                typed.wholeNumber(MAX_DISTANCE, null),
                typed.number(OVERSAMPLE, FACTOR),
                typed.choice(SKETCH, SketchKind.class, null),
                typed.number(MIN_SIMILARITY, SIMILARITY),
                flag(typed.any(CONTAINMENT)),
                passages(typed.wholeNumber(MIN_WORDS, null), typed.number(MIN_SHARE, SIMILARITY)),
                verify(typed.any(VERIFY)),
                conditions(typed.any(SAME), typed.any(DIFFER), typed.any(WITHIN)),
                typed.choice(BY, By.class, null));
    }

    private static Boolean flag(Object typed) {
        return typed == null ? null : Boolean.valueOf(ProcessorOptions.flag(CONTAINMENT, typed));
    }

    private static PassageRule passages(Integer words, Double share) {
        return words == null && share == null
                ? null
                : PassageRule.ofPairs(words, share == null ? Double.valueOf(DEFAULT_SHARE) : share, null);
    }

    private static Verify verify(Object typed) {
        if (typed == null) {
            return null;
        }
        Map<String, Object> options = VerifyOptions.typed(typed, false);
        return new Verify(options == null ? null : VerifyOptions.fromTyped(options));
    }

    private static PairConditions conditions(Object same, Object differ, Object within) {
        return same == null && differ == null && within == null ? null : PairConditions.of(same, differ, within);
    }

    SketchKind kind() {
        return sketch == null ? SketchKind.SIMHASH : sketch;
    }

    /** The field of hits that carries fingerprints or sketches. */
    String carrier() {
        return HitPrints.fieldFor(kind(), fieldOrDefault());
    }

    /** What the request side asks the shards for: the prints, and the values that decide the conditions. */
    FieldAndFormat asked() {
        return new FieldAndFormat(carrier(), conditions == null ? null : conditions.format());
    }

    PairConditions conditionsOrNone() {
        return conditions == null ? PairConditions.NONE : conditions;
    }

    /** Null if texts are not compared. */
    Verification verification() {
        return verify == null ? null : verify.verification;
    }

    boolean isByGroup() {
        return by == By.GROUP;
    }

    /** What texts must share; null if passages are not compared. */
    PassageRule passageRule() {
        return kind() == SketchKind.PASSAGES && isByGroup() == false ? passagesOrDefault() : null;
    }

    private PassageRule passagesOrDefault() {
        return passages == null ? PassageRule.ofPairs(null, DEFAULT_SHARE, null) : passages;
    }

    boolean readsTexts() {
        return verification() != null || passageRule() != null;
    }

    Threshold.Similarity similarity() {
        boolean isContainment = Boolean.TRUE.equals(containment);
        return new Threshold.Similarity(
                minSimilarity == null ? Threshold.Similarity.byDefault(verification(), isContainment) : minSimilarity,
                isContainment);
    }

    String fieldOrDefault() {
        return field == null ? kind().defaultObject() : field;
    }

    int maxDistanceOrDefault() {
        return maxDistance == null ? MaxDistance.byDefault(verification() != null) : maxDistance;
    }

    double oversampleOrDefault() {
        return oversample == null ? DEFAULT_OVERSAMPLE : oversample;
    }

    /**
     * Merges the options of the response side into these of the request side, which already asked for hits and
     * fingerprints.
     *
     * @throws OpenSearchStatusException if the two contradict each other
     */
    CollapseOptions with(CollapseOptions response) {
        requireEqual(FIELD, fieldOrDefault(), response.field);
        requireEqual(OVERSAMPLE, oversampleOrDefault(), response.oversample);
        if (maxDistance != null) {
            requireEqual(MAX_DISTANCE, maxDistance, response.maxDistance);
        }
        requireEqual(SKETCH, kind(), response.sketch);
        if (minSimilarity != null) {
            requireEqual(MIN_SIMILARITY, minSimilarity, response.minSimilarity);
        }
        requireEqual(CONTAINMENT, Boolean.TRUE.equals(containment), response.containment);
        if (response.passages != null) {
            requireEqual(MIN_WORDS, passagesOrDefault().minWords(), response.passages.minWords());
            requireEqual(MIN_SHARE, passagesOrDefault().minShare(), response.passages.minShare());
        }
        requireEqual(BY, by == null ? By.PRINT : by, response.by);
        requireEqual(VERIFY, shown(verification()), response.verify == null ? null : shown(response.verification()));
        if (response.conditions != null) {
            requireEqual("same], [differ] and [within", conditionsOrNone().format(), response.conditions.format());
        }
        CollapseOptions both = new CollapseOptions(
                field,
                maxDistance == null ? response.maxDistance : maxDistance,
                oversample,
                sketch,
                minSimilarity == null ? response.minSimilarity : minSimilarity,
                containment,
                passages,
                verify,
                conditions,
                by);
        both.requireMatch();
        return both;
    }

    private static Object shown(Verification verification) {
        return verification == null ? false : VerifyOptions.asMap(verification);
    }

    /**
     * Refuses options of another kind of sketch.
     *
     * @throws OpenSearchStatusException naming the option, the rule and the value
     */
    void requireMatch() {
        try {
            requireOneKind();
        } catch (IllegalArgumentException e) {
            throw refusal(e.getMessage());
        }
    }

    private void requireOneKind() {
        if (isByGroup()
                && (maxDistance != null
                        || minSimilarity != null
                        || containment != null
                        || passages != null
                        || verify != null)) {
            throw new IllegalArgumentException("[by] group compares no prints and no texts: it must not be given with"
                    + " [max_distance], [min_similarity], [containment], [min_words], [min_share] or [verify]");
        }
        SketchKind.SIMHASH.requireFor(MAX_DISTANCE, maxDistance, kind());
        SketchKind.MINHASH.requireFor(MIN_SIMILARITY, minSimilarity, kind());
        SketchKind.MINHASH.requireFor(CONTAINMENT, containment, kind());
        if (passages != null) {
            SketchKind.PASSAGES.requireFor(MIN_WORDS, passages.minWords(), kind());
            SketchKind.PASSAGES.requireFor(MIN_SHARE, passages.minShare(), kind());
        }
    }

    private static void requireEqual(String option, Object request, Object response) {
        if (response != null && response.equals(request) == false) {
            throw refusal("[" + option + "] must be the same in [request_processors] and [response_processors], got: "
                    + request + " and " + response);
        }
    }

    /** A refusal with another name in front. */
    static Exception named(String name, Exception e) {
        return e instanceof OpenSearchStatusException refused && e.getMessage().startsWith("[" + TYPE + "] ")
                ? new OpenSearchStatusException(
                        "[" + name + "]" + e.getMessage().substring(TYPE.length() + 2), refused.status(), e.getCause())
                : e;
    }

    /** HTTP 400, with the processor's name. */
    static OpenSearchStatusException refusal(String message) {
        return new OpenSearchStatusException("[" + TYPE + "] " + message, RestStatus.BAD_REQUEST);
    }
}
