/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.Map;
import java.util.Set;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.fingerprint.SketchKind;
import org.opensearch.simhash.match.MaxDistance;
import org.opensearch.simhash.options.ProcessorOptions;
import org.opensearch.simhash.query.HitPrints;
import org.opensearch.simhash.query.Threshold;

/**
 * The options of {@code collapse_near_duplicates}, for both sides of a pipeline. Null: not given.
 *
 * @param field the object of fingerprints or sketches
 * @param maxDistance most differing bits of near-duplicates
 * @param sketch kind of what hits are compared by
 * @param minSimilarity least similarity of sketches of near-duplicates
 * @param oversample factor of the hits asked for, up to the end of the page
 */
record CollapseOptions(String field, Integer maxDistance, Double oversample, SketchKind sketch, Double minSimilarity) {

    static final String TYPE = "collapse_near_duplicates";

    private static final String FIELD = "field";
    private static final String MAX_DISTANCE = "max_distance";
    private static final String OVERSAMPLE = "oversample";
    private static final String SKETCH = "sketch";
    private static final String MIN_SIMILARITY = "min_similarity";
    private static final Set<String> OPTIONS = Set.of(FIELD, MAX_DISTANCE, OVERSAMPLE, SKETCH, MIN_SIMILARITY);

    private static final String SIMILARITY = "must be a number between 0 and 1";

    private static final String FACTOR = "must be a factor of 1 or more";

    private static final double DEFAULT_OVERSAMPLE = 3;

    /** Options for fingerprints. */
    CollapseOptions(String field, Integer maxDistance, Double oversample) {
        this(field, maxDistance, oversample, null, null);
    }

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
        return ProcessorOptions.read(
                TYPE,
                tag,
                definition,
                OPTIONS,
                typed -> new CollapseOptions(
                        typed.field(FIELD, null),
                        typed.wholeNumber(MAX_DISTANCE, null),
                        typed.number(OVERSAMPLE, FACTOR),
                        typed.choice(SKETCH, SketchKind.class, null),
                        typed.number(MIN_SIMILARITY, SIMILARITY)));
    }

    SketchKind kind() {
        return sketch == null ? SketchKind.SIMHASH : sketch;
    }

    /** The field of hits that carries fingerprints or sketches. */
    String carrier() {
        return HitPrints.fieldFor(kind(), fieldOrDefault());
    }

    double minSimilarityOrDefault() {
        return minSimilarity == null ? Threshold.Similarity.byDefault(null, false) : minSimilarity;
    }

    String fieldOrDefault() {
        return field == null ? kind().defaultObject() : field;
    }

    int maxDistanceOrDefault() {
        return maxDistance == null ? MaxDistance.DEFAULT : maxDistance;
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
        CollapseOptions both = new CollapseOptions(
                field,
                maxDistance == null ? response.maxDistance : maxDistance,
                oversample,
                sketch,
                minSimilarity == null ? response.minSimilarity : minSimilarity);
        try {
            SketchKind.SIMHASH.requireFor(MAX_DISTANCE, both.maxDistance, both.kind());
            SketchKind.MINHASH.requireFor(MIN_SIMILARITY, both.minSimilarity, both.kind());
        } catch (IllegalArgumentException e) {
            throw refusal(e.getMessage());
        }
        return both;
    }

    private static void requireEqual(String option, Object request, Object response) {
        if (response != null && response.equals(request) == false) {
            throw refusal("[" + option + "] must be the same in [request_processors] and [response_processors], got: "
                    + request + " and " + response);
        }
    }

    /** HTTP 400, with the processor's name. */
    static OpenSearchStatusException refusal(String message) {
        return new OpenSearchStatusException("[" + TYPE + "] " + message, RestStatus.BAD_REQUEST);
    }
}
