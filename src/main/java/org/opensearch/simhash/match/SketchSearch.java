/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.util.Objects;

/**
 * What a query of sketches looks for in each leaf.
 *
 * @param minSimilarity 0 to 1
 * @param containment whether the share of the smaller text counts
 */
record SketchSearch(
        SketchedFields fields, SketchTarget target, double minSimilarity, boolean containment, PlanListener listener) {

    /** The probability to miss a document of the least similarity. A smaller value is useless: estimates err more often. */
    static final double MISSING = 1e-5;

    SketchSearch {
        Objects.requireNonNull(fields, "fields");
        Objects.requireNonNull(target, "target");
    }
}
