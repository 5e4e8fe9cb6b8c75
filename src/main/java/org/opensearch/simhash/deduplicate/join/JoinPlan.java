/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** How a join brings the two fingerprints of each link together: it deals all fingerprints to bins, once or several times. */
sealed interface JoinPlan permits BlockPlan, RadiusPlan {

    /** Whether all pairs are compared. */
    boolean isQuadratic();

    /** How often the fingerprints are dealt to bins. */
    int deals();

    /** Greatest number of bits by which a deal can tell bins apart. */
    int binBits(int deal);

    /**
     * The bin of a fingerprint.
     *
     * @param bits log2 of the number of bins
     */
    int bin(int deal, long value, int bits);
}
