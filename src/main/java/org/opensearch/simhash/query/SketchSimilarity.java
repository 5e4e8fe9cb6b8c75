/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import org.opensearch.simhash.sketch.BandLayout;
import org.opensearch.simhash.verify.Verification;

/** How similar sketches must be if nobody says so. */
public final class SketchSimilarity {

    private static final double DEFAULT = 0.8;

    /** Standard deviations of an estimate: what is verified must not be lost to an estimate. */
    private static final double DEVIATIONS = 3;

    private static final double LEAST_SLACK = 0.1;

    /** For a short text inside one three times as long, where a deviation is 0.1. */
    private static final double CONTAINMENT_SLACK = 0.25;

    private static final double ROUNDING = 1e-9;

    private SketchSimilarity() {}

    /**
     * The least estimated similarity. If texts are verified, it is less than what they must have, by three standard deviations of an
     * estimate of {@value BandLayout#DEFAULT_PERMUTATIONS} components. In hundredths, rounded down.
     *
     * @param verify may be null
     */
    public static double byDefault(Verification verify, boolean containment) {
        if (verify == null) {
            return DEFAULT;
        }
        double similarity = verify.minSimilarity();
        double slack = containment ? CONTAINMENT_SLACK : slack(similarity);
        return Math.max(0.01, Math.floor(100 * (similarity - slack) + ROUNDING) / 100);
    }

    private static double slack(double similarity) {
        double deviation = Math.sqrt(similarity * (1 - similarity) / BandLayout.DEFAULT_PERMUTATIONS);
        return Math.max(LEAST_SLACK, DEVIATIONS * deviation);
    }
}
