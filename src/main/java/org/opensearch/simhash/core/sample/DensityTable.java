/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

/**
 * Estimates how crowded the surroundings of a fingerprint are. Counts the fingerprints, or sketches, that share windows of bits, 16 windows
 * that begin at every fourth bit. By chance, about eight fingerprints share a window. The sum over all windows gives the band:
 * two bands per power of two. Takes at most 4 MB.
 */
public final class DensityTable {

    private static final int WINDOWS = 16;
    private static final int STEP = Long.SIZE / WINDOWS;
    private static final int NARROWEST = 6;
    private static final int WIDEST = 16;
    private static final int SHARED_BY_CHANCE = 3;

    /** For sums up to 2 to the power of 36. */
    static final int BANDS = 2 * 36;

    private final int mask;
    private final int[][] counts;

    /** @param fingerprints the expected number */
    public DensityTable(long fingerprints) {
        int width = width(fingerprints);
        this.mask = (1 << width) - 1;
        this.counts = new int[WINDOWS][1 << width];
    }

    private static int width(long fingerprints) {
        int digits = Long.SIZE - Long.numberOfLeadingZeros(fingerprints);
        return Math.clamp(digits - SHARED_BY_CHANCE, NARROWEST, WIDEST);
    }

    public static long bytes(long fingerprints) {
        return ((long) WINDOWS * Integer.BYTES) << width(fingerprints);
    }

    public void add(Document document) {
        for (int k = 0; k < document.strata().length; k++) {
            add(document.key(k));
        }
    }

    private void add(long bits) {
        for (int window = 0; window < WINDOWS; window++) {
            counts[window][value(bits, window)]++;
        }
    }

    private int value(long bits, int window) {
        return (int) Long.rotateRight(bits, STEP * window) & mask;
    }

    /** The band of a document is that of its most crowded fingerprint, which must have been added. */
    public int band(Document document) {
        int band = 0;
        for (int k = 0; k < document.strata().length; k++) {
            band = Math.max(band, band(document.key(k)));
        }
        return band;
    }

    private int band(long bits) {
        long sharing = 0;
        for (int window = 0; window < WINDOWS; window++) {
            sharing += counts[window][value(bits, window)];
        }
        return (int) (2 * Math.log((double) sharing) / Math.log(2));
    }

    /** About the sum of a fingerprint in the band. */
    static double sharing(int band) {
        return Math.pow(2, band / 2.0);
    }
}
