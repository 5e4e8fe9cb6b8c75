/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sketch;

/**
 * How a join cuts sketches into bands: sketches that agree in all components of one are compared. Bands are as long as possible, so that
 * few sketches share one, and then as few as possible, while a pair of the least similarity is missed at most once in a million.
 *
 * <p>Of ten million sketches hundreds share a short band by chance. They are compared only if they also agree in one
 * of {@value #CHECKED} components of other bands.
 *
 * @param length components of a band
 * @param count number of bands, from the first component on
 */
public record JoinBands(int length, int count, int permutations) {

    public static final int MOST_ROWS = 8;

    /** Components beside a short band. */
    public static final int CHECKED = 4;

    /** Longer bands need no check. One component alone has too many others that disagree. */
    private static final int SHORTEST_CHECKED = 2;

    private static final int LONGEST_CHECKED = 4;

    private static final double MISSING = 1e-6;
    private static final double VALUES = 256;

    /** The bands for a least similarity. Where all bands together miss more, a component is a band. */
    public static JoinBands of(double minSimilarity, int permutations) {
        double agreement = minSimilarity + (1 - minSimilarity) / VALUES;
        int length = Math.max(1, Math.min(MOST_ROWS, permutations));
        while (length > 1 && missing(agreement, length, permutations / length, permutations) > MISSING) {
            length--;
        }
        int count = 1;
        while (count < permutations / length && missing(agreement, length, count, permutations) > MISSING) {
            count++;
        }
        return new JoinBands(length, count, permutations);
    }

    /** Whether sketches that share a band are compared only if they also agree elsewhere. */
    public boolean isChecked() {
        return isChecked(length, permutations);
    }

    /** The first of the checked components of a band. */
    public int checked(int band) {
        return (band * length + permutations / 2) % (permutations - CHECKED + 1);
    }

    private static boolean isChecked(int length, int permutations) {
        return length >= SHORTEST_CHECKED && length <= LONGEST_CHECKED && permutations >= 4 * (length + CHECKED);
    }

    /** The probability that two such sketches share no band in which they are compared. */
    private static double missing(double agreement, int length, int bands, int permutations) {
        double shared = Math.pow(agreement, length);
        if (isChecked(length, permutations)) {
            // Checked components belong to bands that the two do not share, so that they agree less often.
            double elsewhere = (agreement - shared) / (1 - shared);
            shared *= 1 - Math.pow(1 - elsewhere, CHECKED);
        }
        return Math.pow(1 - shared, bands);
    }
}
