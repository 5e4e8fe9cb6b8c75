/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import org.opensearch.simhash.verify.Verification;

/** How similar sketches must be if nobody says so. */
public final class SketchSimilarity {

    private static final double DEFAULT = 0.8;

    /**
     * Almost three standard deviations of an estimate of 0.8, so that an estimate does not exclude what verification
     * would accept.
     */
    private static final double SLACK = 0.1;

    /** For a short text inside one three times as long, where a deviation is 0.1. */
    private static final double CONTAINMENT_SLACK = 0.25;

    private SketchSimilarity() {}

    /**
     * The least estimated similarity. If texts are verified, it is less than what they must have.
     *
     * @param verify may be null
     */
    public static double byDefault(Verification verify, boolean containment) {
        return verify == null
                ? DEFAULT
                : Math.max(0.01, verify.minSimilarity() - (containment ? CONTAINMENT_SLACK : SLACK));
    }
}
