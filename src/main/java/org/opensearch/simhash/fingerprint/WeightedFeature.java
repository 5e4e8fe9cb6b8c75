/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Comparator;

/**
 * @param feature tokens joined by one space
 * @param weight 1 for a feature that occurs once in a field of weight 1
 */
public record WeightedFeature(String feature, double weight) implements Comparable<WeightedFeature> {

    private static final Comparator<WeightedFeature> HEAVIEST_FIRST =
            Comparator.comparingDouble(WeightedFeature::weight).reversed().thenComparing(WeightedFeature::feature);

    @Override
    public int compareTo(WeightedFeature other) {
        return HEAVIEST_FIRST.compare(this, other);
    }
}
