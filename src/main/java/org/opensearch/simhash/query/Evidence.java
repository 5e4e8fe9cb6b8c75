/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.opensearch.simhash.verify.Verdict;

/**
 * How near a document is to one {@code simhash} or {@code minhash} clause.
 *
 * @param distance of the fingerprints; null if unknown, and for sketches
 * @param estimate similarity of the sketches; null for fingerprints
 * @param similarity of the texts; null if they are not similar enough, or not verified
 * @param reason why a verified document has no similarity; else null
 */
record Evidence(Integer distance, Double estimate, Double similarity, String reason) {

    /** The last one has the best score. */
    static final Comparator<Evidence> BY_SCORE =
            Comparator.comparingDouble(Evidence::score).thenComparingDouble(Evidence::nearness);

    static Evidence of(int distance) {
        return new Evidence(distance, null, null, null);
    }

    /** For sketches without verification. */
    static Evidence ofEstimate(double estimate) {
        return new Evidence(null, estimate, null, null);
    }

    Evidence verified(Verdict verdict) {
        return verdict.isSimilar()
                ? new Evidence(distance, estimate, verdict.similarity(), null)
                : unverified(verdict.outcome().reason());
    }

    Evidence unverified(String why) {
        return new Evidence(distance, estimate, null, why);
    }

    /** For a hit that was not compared in time. */
    static Evidence unknown(String reason) {
        return new Evidence(null, null, null, reason);
    }

    private double score() {
        return similarity == null ? -1 : similarity;
    }

    private double nearness() {
        return distance == null ? estimate : -distance;
    }

    /** The form in the hit. */
    Map<String, Object> entry() {
        Map<String, Object> entry = new LinkedHashMap<>();
        if (distance != null) {
            entry.put("distance", distance);
        }
        if (estimate != null) {
            entry.put("estimate", estimate);
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
