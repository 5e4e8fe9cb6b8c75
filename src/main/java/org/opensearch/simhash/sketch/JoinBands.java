/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.sketch;

/**
 * How a join cuts sketches into bands: sketches that agree in all components of one are compared. Bands are as long as possible, so that
 * few sketches share one, and then as few as possible, while a pair of the least similarity is missed at most once in a million.
 *
 * @param length components of a band
 * @param count number of bands, from the first component on
 */
public record JoinBands(int length, int count) {

    public static final int MOST_ROWS = 8;

    private static final double MISSING = 1e-6;
    private static final double VALUES = 256;

    /** The bands for a least similarity. Where all bands together miss more, a component is a band. */
    public static JoinBands of(double minSimilarity, int permutations) {
        double agreement = minSimilarity + (1 - minSimilarity) / VALUES;
        int length = Math.max(1, Math.min(MOST_ROWS, permutations));
        while (length > 1 && missing(agreement, length, permutations / length) > MISSING) {
            length--;
        }
        int count = 1;
        while (count < permutations / length && missing(agreement, length, count) > MISSING) {
            count++;
        }
        return new JoinBands(length, count);
    }

    /** The probability that two such sketches share no band. */
    private static double missing(double agreement, int length, int bands) {
        return Math.pow(1 - Math.pow(agreement, length), bands);
    }
}
