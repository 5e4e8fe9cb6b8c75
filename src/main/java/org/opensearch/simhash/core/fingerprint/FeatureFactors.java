/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.core.text.Folding;
import org.opensearch.simhash.core.text.TextNormalizer;

/**
 * Factors that damp or remove chosen features (boilerplate, common shingles). A name with spaces stands for a feature
 * of several tokens, and for one token with these spaces. Immutable.
 */
final class FeatureFactors {

    private final Map<Long, Double> factors;

    /** @param byFeature keys are features in any spelling, tokens joined by one space */
    FeatureFactors(Map<String, Double> byFeature, HashFunction hashFunction) {
        Map<Long, Double> byHash = HashMap.newHashMap(byFeature.size());
        byFeature.forEach((feature, factor) -> {
            String folded = Folding.LETTERS.of(TextNormalizer.normalize(feature));
            byHash.put(hashFunction.hash(List.of(folded)), factor);
            byHash.put(hashFunction.hash(List.of(folded.split(" ", -1))), factor);
        });
        this.factors = Map.copyOf(byHash);
    }

    boolean isEmpty() {
        return factors.isEmpty();
    }

    /** The factor; 1 for a feature that is not listed. */
    double factor(long hash) {
        return factors.getOrDefault(hash, 1.0);
    }
}
