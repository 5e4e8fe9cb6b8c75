/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.Threshold;

/**
 * What counts as a near-duplicate in one round. Dynamic settings are resolved.
 *
 * @param verification the rule for texts, or null
 * @param passages what texts must share; null if passages are not compared
 */
public record Criteria(
        SketchKind kind,
        String field,
        int maxDistance,
        double minSimilarity,
        Verification verification,
        PassageRule passages,
        PairConditions conditions) {

    public Threshold threshold() {
        return switch (kind) {
            case SIMHASH -> new Threshold.Distance(maxDistance);
            case MINHASH -> new Threshold.Similarity(minSimilarity, false);
            case PASSAGES -> Threshold.Passages.bounded(passages);
        };
    }
}
