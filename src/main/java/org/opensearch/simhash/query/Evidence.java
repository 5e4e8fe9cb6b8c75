/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.opensearch.simhash.verify.Verdict;

/**
 * How near a document is to what one {@code simhash} clause asks for.
 *
 * @param distance between the fingerprints; null if unknown
 * @param similarity of the texts; null if it is too low or the clause verifies no texts
 * @param reason why there is no similarity although the clause verifies texts; else null
 */
record Evidence(Integer distance, Double similarity, String reason) {

    /** The last one gives the score. */
    static final Comparator<Evidence> BY_SCORE =
            Comparator.comparingDouble(Evidence::score).thenComparing(Evidence::distance, Comparator.reverseOrder());

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

    /** For a hit that was not compared in time. */
    static Evidence unknown(String reason) {
        return new Evidence(null, null, reason);
    }

    private double score() {
        return similarity == null ? -1 : similarity;
    }

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
