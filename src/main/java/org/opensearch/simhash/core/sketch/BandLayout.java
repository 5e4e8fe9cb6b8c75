/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sketch;

import java.util.List;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/**
 * Cuts a sketch into bands. Documents that agree in four bits of each row of a band share a term, which makes them
 * candidates (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, chapter 3). A term of four rows is in some
 * dozen of a million documents, so the index holds more postings than terms. Immutable.
 *
 * @param permutations components of a sketch
 * @param rows components in a band
 */
public record BandLayout(int permutations, int bands, int rows) {

    public static final int DEFAULT_PERMUTATIONS = 128;
    public static final int DEFAULT_BANDS = 32;
    public static final int DEFAULT_ROWS = 4;

    public static final int MAX_PERMUTATIONS = 1024;
    /** Two hexadecimal digits number the bands. */
    public static final int MAX_BANDS = 256;

    /** Characters of a term before its rows. */
    public static final int PREFIX = 2;

    public static final BandLayout DEFAULT = new BandLayout(DEFAULT_PERMUTATIONS, DEFAULT_BANDS, DEFAULT_ROWS);

    private static final char[] DIGITS = "0123456789abcdef".toCharArray();
    private static final int BITS = 4;
    private static final int VALUES = 1 << BITS;
    /** The golden ratio of 32 bits: products are spread over all of them. */
    private static final int SPREAD = 0x9E3779B9;

    public BandLayout {
        TypedNumber.requireBetween("permutations", 1, MAX_PERMUTATIONS, permutations);
        TypedNumber.requireBetween("bands", 1, MAX_BANDS, bands);
        TypedNumber.requireBetween("rows", 1, MAX_PERMUTATIONS, rows);
        if ((long) bands * rows > permutations) {
            throw new IllegalArgumentException("[bands] times [rows] must be at most [permutations], got: " + bands
                    + " times " + rows + " and " + permutations);
        }
    }

    /** The terms of a sketch: two hexadecimal digits for the band, and one digit per row. */
    public String[] terms(Sketch sketch) {
        String[] terms = new String[bands];
        char[] term = new char[PREFIX + rows];
        for (int band = 0; band < bands; band++) {
            term[0] = DIGITS[band >>> BITS];
            term[1] = DIGITS[band & (VALUES - 1)];
            for (int row = 0; row < rows; row++) {
                term[PREFIX + row] = DIGITS[sketch.component(band * rows + row) & (VALUES - 1)];
            }
            terms[band] = new String(term);
        }
        return terms;
    }

    /** The layout by which a sketch was cut into the terms of its document; null if they are not those of the sketch. */
    public static BandLayout of(Sketch sketch, Object terms) {
        if (terms instanceof List<?> bands
                && bands.isEmpty() == false
                && bands.getFirst() instanceof String first
                && first.length() > PREFIX) {
            int rows = first.length() - PREFIX;
            if ((long) bands.size() * rows <= sketch.permutations() && bands.size() <= MAX_BANDS) {
                BandLayout layout = new BandLayout(sketch.permutations(), bands.size(), rows);
                return List.of(layout.terms(sketch)).equals(bands) ? layout : null;
            }
        }
        return null;
    }

    /** A hash of a band's rows: equal terms have equal keys. All bits of it are spread. */
    public int key(Sketch sketch, int band) {
        int key = 0;
        for (int row = band * rows; row < (band + 1) * rows; row++) {
            key = (key + (sketch.component(row) & (VALUES - 1)) + 1) * SPREAD;
        }
        return key ^ key >>> Short.SIZE;
    }

    /** The probability that two sets of this Jaccard similarity share a band. */
    public double recall(double similarity) {
        return recall(similarity, bands);
    }

    /** The same for a number of bands. */
    public double recall(double similarity, int ofBands) {
        return 1 - Math.pow(1 - Math.pow(similarity + (1 - similarity) / VALUES, rows), ofBands);
    }

    /** The least number of bands of which such sets share none with a probability of at most {@code missing}; else all. */
    public int sufficient(double similarity, double missing) {
        int needed = 1;
        while (needed < bands && 1 - recall(similarity, needed) > missing) {
            needed++;
        }
        return needed;
    }
}
