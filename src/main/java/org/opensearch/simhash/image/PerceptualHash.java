/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Makes 64 bits of an image; images that look alike differ in few bits. The values of the option {@code algorithm}.
 * Integers only, so every JVM gets the same bits.
 */
public enum PerceptualHash {

    /**
     * The signs of the 8 × 8 lowest frequencies at 32 × 32 pixels against their median, row by row (Zauner,
     * "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010).
     */
    PHASH {
        @Override
        long bits(LumaImage image) {
            long[] low = lowFrequencies(image.cells(SIZE, SIZE));
            long[] sorted = low.clone();
            Arrays.sort(sorted);
            long twiceTheMedian = sorted[Long.SIZE / 2 - 1] + sorted[Long.SIZE / 2];
            long bits = 0;
            for (long frequency : low) {
                bits = (bits << 1) | (2 * frequency > twiceTheMedian ? 1 : 0);
            }
            return bits;
        }
    },

    /** Whether each of 8 × 8 cells is darker than its right neighbour, row by row. Cheaper and more sensitive. */
    DHASH {
        @Override
        long bits(LumaImage image) {
            int[] cells = image.cells(LOW + 1, LOW);
            long bits = 0;
            for (int y = 0; y < LOW; y++) {
                for (int x = 0; x < LOW; x++) {
                    int at = y * (LOW + 1) + x;
                    bits = (bits << 1) | (cells[at] < cells[at + 1] ? 1 : 0);
                }
            }
            return bits;
        }
    };

    /** Changes whenever a hash changes. */
    private static final String VERSION = "v1";

    private static final int SIZE = 32;
    private static final int LOW = 8;

    /** An image whose cells differ by less (in units of 1/256) has one colour. */
    private static final int FLAT = 2 << 8;

    /** Cosines as integers of 14 bits: sums of 32 × 32 products fit in 64. */
    private static final int[][] COSINES = cosines();

    /** The scheme of its hashes; only hashes of one scheme are comparable. */
    public String scheme() {
        return name().toLowerCase(Locale.ROOT) + "-" + VERSION;
    }

    /** The 64 bits. Empty for an image of one colour, which would match every other one. */
    OptionalLong hash(LumaImage image) {
        int[] cells = image.cells(SIZE, SIZE);
        int darkest = Arrays.stream(cells).min().getAsInt();
        int brightest = Arrays.stream(cells).max().getAsInt();
        return brightest - darkest < FLAT ? OptionalLong.empty() : OptionalLong.of(bits(image));
    }

    abstract long bits(LumaImage image);

    /** The first 8 × 8 values of the discrete cosine transform of 32 × 32 cells. */
    private static long[] lowFrequencies(int[] cells) {
        long[] rows = new long[SIZE * LOW];
        for (int y = 0; y < SIZE; y++) {
            for (int u = 0; u < LOW; u++) {
                long sum = 0;
                for (int x = 0; x < SIZE; x++) {
                    sum += (long) COSINES[u][x] * cells[y * SIZE + x];
                }
                rows[y * LOW + u] = sum;
            }
        }
        long[] low = new long[LOW * LOW];
        for (int v = 0; v < LOW; v++) {
            for (int u = 0; u < LOW; u++) {
                long sum = 0;
                for (int y = 0; y < SIZE; y++) {
                    sum += COSINES[v][y] * rows[y * LOW + u];
                }
                low[v * LOW + u] = sum;
            }
        }
        return low;
    }

    private static int[][] cosines() {
        int[][] cosines = new int[LOW][SIZE];
        for (int u = 0; u < LOW; u++) {
            for (int x = 0; x < SIZE; x++) {
                cosines[u][x] = (int) Math.round((1 << 14) * StrictMath.cos(Math.PI * u * (2 * x + 1) / (2 * SIZE)));
            }
        }
        return cosines;
    }
}
