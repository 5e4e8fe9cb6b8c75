/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Factors that damp chosen features (boilerplate, commonest shingles) or take them out, looked up by the feature's hash.
 * Immutable.
 */
final class FeatureFactors {

    private final Map<Long, Double> factors;

    /** @param byFeature features as the recipe makes them, tokens joined by one space */
    FeatureFactors(Map<String, Double> byFeature, HashFunction hashFunction) {
        Map<Long, Double> byHash = HashMap.newHashMap(byFeature.size());
        byFeature.forEach((feature, factor) -> {
            byte[] utf8 = feature.getBytes(StandardCharsets.UTF_8);
            byHash.put(hashFunction.hash(utf8, 0, utf8.length), factor);
        });
        this.factors = Map.copyOf(byHash);
    }

    boolean isEmpty() {
        return factors.isEmpty();
    }

    /** 1 for a feature that is not listed. */
    double factor(long hash) {
        return factors.getOrDefault(hash, 1.0);
    }
}
