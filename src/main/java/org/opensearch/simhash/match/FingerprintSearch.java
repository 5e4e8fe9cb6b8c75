/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.util.Objects;

/**
 * What a query of fingerprints looks for in each leaf.
 *
 * @param maxDistance most differing bits, 0 to 64
 * @param costs other costs give other plans, never other matches
 */
record FingerprintSearch(IndexedFields fields, Target target, int maxDistance, PlanListener listener, CostModel costs) {

    FingerprintSearch {
        Objects.requireNonNull(fields, "fields");
        Objects.requireNonNull(target, "target");
        MaxDistance.require(maxDistance);
        Objects.requireNonNull(costs, "costs");
    }
}
