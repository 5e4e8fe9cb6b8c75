/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
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
 * The options of {@code collapse_near_duplicates}, for both sides of a pipeline.
 *
 * @param given what is given, as it was read: {@code verify} is empty for {@code false}, and conditions are under {@link #CONDITIONS}
 */
record CollapseOptions(Map<String, Object> given) {

    enum By {
        PRINT,
        GROUP
    }

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
    private static final Set<String> OPTIONS = Set.of(new String[] {
        FIELD, MAX_DISTANCE, OVERSAMPLE, SKETCH, MIN_SIMILARITY,
        CONTAINMENT, MIN_WORDS, MIN_SHARE, VERIFY, SAME,
        DIFFER, WITHIN, BY
    });

    /** As messages show it in brackets. */
    private static final String CONDITIONS = "same], [differ] and [within";

    /** Options of the response side for which the request side has no default. */
    private static final Set<String> TAKEN = Set.of(MAX_DISTANCE, MIN_SIMILARITY);

    private static final String SIMILARITY = "must be a number between 0 and 1";

    private static final String FACTOR = "must be a factor of 1 or more";

    private static final double DEFAULT_OVERSAMPLE = 3;

    /** A page does not tell which passages are blocks, and a footer must not hide hits. */
    private static final double DEFAULT_SHARE = .8;

    CollapseOptions {
        given = new HashMap<>(given);
        given.values().removeIf(Objects::isNull);
        if (given.get(MIN_SIMILARITY) instanceof Double least && (least >= 0 && least <= 1) == false) {
            throw new IllegalArgumentException("[min_similarity] " + SIMILARITY + ", got: " + least);
        }
        if (given.get(MAX_DISTANCE) instanceof Integer most) {
            MaxDistance.require(most);
        }
        if (given.get(OVERSAMPLE) instanceof Double factor
                && (factor >= 1 && factor < Double.POSITIVE_INFINITY) == false) {
            throw new IllegalArgumentException("[oversample] " + FACTOR + ", got: " + factor);
        }
        passages(given);
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
        Map<String, Object> given = new HashMap<>();
        given.put(FIELD, typed.field(FIELD, null));
        given.put(MAX_DISTANCE, typed.wholeNumber(MAX_DISTANCE, null));
        given.put(OVERSAMPLE, typed.number(OVERSAMPLE, FACTOR));
        given.put(SKETCH, typed.choice(SKETCH, SketchKind.class, null));
        given.put(MIN_SIMILARITY, typed.number(MIN_SIMILARITY, SIMILARITY));
        Object containment = typed.any(CONTAINMENT);
        given.put(CONTAINMENT, containment == null ? null : ProcessorOptions.flag(CONTAINMENT, containment));
        given.put(MIN_WORDS, typed.wholeNumber(MIN_WORDS, null));
        given.put(MIN_SHARE, typed.number(MIN_SHARE, SIMILARITY));
        Object verify = typed.any(VERIFY);
        given.put(
                VERIFY,
                verify == null
                        ? null
                        : Optional.ofNullable(VerifyOptions.typed(verify, false))
                                .map(VerifyOptions::fromTyped));
        Object same = typed.any(SAME);
        Object differ = typed.any(DIFFER);
        Object within = typed.any(WITHIN);
        boolean isFree = same == null && differ == null && within == null;
        given.put(CONDITIONS, isFree ? null : PairConditions.of(same, differ, within));
        given.put(BY, typed.choice(BY, By.class, null));
        return new CollapseOptions(given);
    }

    @SuppressWarnings("unchecked") // as it was read
    private <T> T get(String option, T byDefault) {
        return (T) given.getOrDefault(option, byDefault);
    }

    SketchKind kind() {
        return get(SKETCH, SketchKind.SIMHASH);
    }

    /** The field of hits that carries fingerprints or sketches. */
    String carrier() {
        return HitPrints.fieldFor(kind(), fieldOrDefault());
    }

    /** What the request side asks the shards for: the prints, and the values that decide the conditions. */
    FieldAndFormat asked() {
        PairConditions conditions = get(CONDITIONS, null);
        return new FieldAndFormat(carrier(), conditions == null ? null : conditions.format());
    }

    PairConditions conditionsOrNone() {
        return get(CONDITIONS, PairConditions.NONE);
    }

    /** Null if texts are not compared. */
    Verification verification() {
        return get(VERIFY, Optional.<Verification>empty()).orElse(null);
    }

    boolean isByGroup() {
        return given.get(BY) == By.GROUP;
    }

    /** What texts must share; null if passages are not compared. */
    PassageRule passageRule() {
        return kind() == SketchKind.PASSAGES && isByGroup() == false ? passages(given) : null;
    }

    private static PassageRule passages(Map<String, Object> given) {
        return PassageRule.ofPairs(
                (Integer) given.get(MIN_WORDS), (Double) given.getOrDefault(MIN_SHARE, DEFAULT_SHARE), null);
    }

    boolean readsTexts() {
        return verification() != null || passageRule() != null;
    }

    Threshold.Similarity similarity() {
        boolean isContainment = get(CONTAINMENT, false);
        return new Threshold.Similarity(
                get(MIN_SIMILARITY, Threshold.Similarity.byDefault(verification(), isContainment)), isContainment);
    }

    String fieldOrDefault() {
        return get(FIELD, kind().defaultObject());
    }

    int maxDistanceOrDefault() {
        return get(MAX_DISTANCE, MaxDistance.byDefault(verification() != null));
    }

    double oversampleOrDefault() {
        return get(OVERSAMPLE, DEFAULT_OVERSAMPLE);
    }

    /**
     * Merges the options of the response side into these of the request side, which already asked for hits and fingerprints.
     *
     * @throws OpenSearchStatusException if the two contradict each other
     */
    CollapseOptions with(CollapseOptions response) {
        for (String option : response.given.keySet().stream().sorted().toList()) {
            Object said = TAKEN.contains(option) ? given.get(option) : said(option);
            Object other = response.said(option);
            if ((said == null && TAKEN.contains(option)) == false && other.equals(said) == false) {
                throw refusal("[" + option + "] must be the same in [request_processors] and [response_processors],"
                        + " got: " + said + " and " + other);
            }
        }
        Map<String, Object> all = new HashMap<>(response.given);
        all.keySet().retainAll(TAKEN);
        all.putAll(given);
        CollapseOptions both = new CollapseOptions(all);
        both.requireMatch();
        return both;
    }

    /** What an option means, given or not, as messages show it. */
    private Object said(String option) {
        return switch (option) {
            case FIELD -> fieldOrDefault();
            case OVERSAMPLE -> oversampleOrDefault();
            case SKETCH -> kind();
            case CONTAINMENT -> get(CONTAINMENT, false);
            case MIN_WORDS -> passages(given).minWords();
            case MIN_SHARE -> passages(given).minShare();
            case BY -> get(BY, By.PRINT);
            case VERIFY -> verification() == null ? false : VerifyOptions.asMap(verification());
            case CONDITIONS -> conditionsOrNone().format();
            default -> given.get(option);
        };
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
                && List.of(MAX_DISTANCE, MIN_SIMILARITY, CONTAINMENT, MIN_WORDS, MIN_SHARE, VERIFY).stream()
                        .anyMatch(given::containsKey)) {
            throw new IllegalArgumentException("[by] group compares no prints and no texts: it must not be given with"
                    + " [max_distance], [min_similarity], [containment], [min_words], [min_share] or [verify]");
        }
        SketchKind.SIMHASH.requireFor(MAX_DISTANCE, given.get(MAX_DISTANCE), kind());
        SketchKind.MINHASH.requireFor(MIN_SIMILARITY, given.get(MIN_SIMILARITY), kind());
        SketchKind.MINHASH.requireFor(CONTAINMENT, given.get(CONTAINMENT), kind());
        SketchKind.PASSAGES.requireFor(MIN_WORDS, given.get(MIN_WORDS), kind());
        SketchKind.PASSAGES.requireFor(MIN_SHARE, given.get(MIN_SHARE), kind());
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
