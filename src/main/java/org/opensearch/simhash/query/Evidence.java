/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.opensearch.simhash.verify.Verdict;

/**
 * How near a document is to what one {@code simhash} clause asks for.
 *
 * @param distance of the fingerprints; null when nobody knows
 * @param similarity of the texts; null when they are not similar enough, or the clause verifies none
 * @param reason why there is no similarity, where texts are verified; else null
 */
record Evidence(Integer distance, Double similarity, String reason) {

    /** The last one makes the score. */
    static final Comparator<Evidence> BY_SCORE =
            Comparator.comparingDouble(Evidence::score).thenComparing(Evidence::distance, Comparator.reverseOrder());

    /** Where no text is verified. */
    static Evidence of(int distance) {
        return new Evidence(distance, null, null);
    }

    static Evidence of(int distance, Verdict verdict) {
        return verdict.isSimilar()
                ? new Evidence(distance, verdict.similarity(), null)
                : unverified(distance, verdict.outcome().reason());
    }

    static Evidence unverified(int distance, String reason) {
        return new Evidence(distance, null, reason);
    }

    /** Of a hit that there was no time to look at. */
    static Evidence unknown(String reason) {
        return new Evidence(null, null, reason);
    }

    private double score() {
        return similarity == null ? -1 : similarity;
    }

    /** As it stands in the hit. */
    Map<String, Object> entry() {
        Map<String, Object> entry = new LinkedHashMap<>();
        if (distance != null) {
            entry.put("distance", distance);
        }
        if (similarity != null) {
            entry.put("similarity", similarity);
        }
        if (reason != null) {
            entry.put("reason", reason);
        }
        return entry;
    }
}
