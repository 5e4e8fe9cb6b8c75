/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.Map;
import java.util.Set;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.match.MaxDistance;
import org.opensearch.simhash.options.ProcessorOptions;

/**
 * The options of {@code collapse_near_duplicates}, for both sides of a pipeline. Null: not given.
 *
 * @param field the fingerprint object
 * @param maxDistance most differing bits of near-duplicates
 * @param oversample factor of the hits asked for, up to the end of the page
 */
record CollapseOptions(String field, Integer maxDistance, Double oversample) {

    static final String TYPE = "collapse_near_duplicates";

    private static final String FIELD = "field";
    private static final String MAX_DISTANCE = "max_distance";
    private static final String OVERSAMPLE = "oversample";
    private static final Set<String> OPTIONS = Set.of(FIELD, MAX_DISTANCE, OVERSAMPLE);

    private static final String FACTOR = "must be a factor of 1 or more";

    private static final double DEFAULT_OVERSAMPLE = 3;

    CollapseOptions {
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
                        typed.number(OVERSAMPLE, FACTOR)));
    }

    String fieldOrDefault() {
        return field == null ? FingerprintFields.DEFAULT_OBJECT : field;
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
        return new CollapseOptions(field, maxDistance == null ? response.maxDistance : maxDistance, oversample);
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
