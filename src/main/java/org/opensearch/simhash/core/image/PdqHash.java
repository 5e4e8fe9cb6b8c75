/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.util.Arrays;
import org.opensearch.simhash.core.memory.Account;

/**
 * The 256 bits of PDQ, after its published description ("The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing
 * Algorithm", Facebook, 2019): the picture is blurred by two passes of a box (a Jarosz filter), 64 × 64 of its pixels are
 * taken, and the signs of the 16 × 16 lowest frequencies of these without the constant ones, against their median, are the
 * bits. Bit {@code 16 v + u} is that of frequency {@code v + 1} down and {@code u + 1} across; 0 is the least significant.
 *
 * <p>Its quality, 0 to 100, is the sum of the differences between neighbours among the 64 × 64. A picture of little quality,
 * such as a blank page, has no hash: the signs would be those of noise.
 *
 * <p>Single precision as in the reference, in one order of operations: every JVM gets the same bits.
 */
final class PdqHash {

    /** Below this quality there is no hash: the advice of those who published it. */
    static final int LEAST_QUALITY = 50;

    private static final int SIZE = 64;
    private static final int LOW = 16;
    private static final int PASSES = 2;
    private static final int MOST_QUALITY = 100;

    /** The sum of differences, in hundredths of white, that is one point of quality. */
    private static final int DIFFERENCES_PER_POINT = 90;

    private static final float[][] COSINES = cosines();

    private PdqHash() {}

    /** @param memory accounts for 8 bytes a pixel */
    static ImageHash.Hashed of(LumaImage image, Account memory) {
        int width = image.width();
        int height = image.height();
        memory.take(2L * Float.BYTES * width * height);
        float[] pixels = image.floats();
        float[] other = new float[pixels.length];
        for (int pass = 0; pass < PASSES; pass++) {
            for (int y = 0; y < height; y++) {
                blur(pixels, other, y * width, 1, width);
            }
            for (int x = 0; x < width; x++) {
                blur(other, pixels, x, width, height);
            }
        }
        float[] small = new float[SIZE * SIZE];
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                small[y * SIZE + x] = pixels[centre(y, height) * width + centre(x, width)];
            }
        }
        int quality = quality(small);
        return new ImageHash.Hashed(quality < LEAST_QUALITY ? null : bits(frequencies(frequencies(small))), quality);
    }

    private static int centre(int i, int length) {
        return (int) ((i + 0.5) * length / SIZE);
    }

    /** The mean of the pixels around each one of a row or column: of as many as there are at the ends. */
    private static void blur(float[] in, float[] out, int start, int step, int length) {
        int window = (length + 2 * SIZE - 1) / (2 * SIZE);
        int ahead = (window + 2) / 2 - 1;
        float sum = 0;
        int count = 0;
        int next = start;
        for (; count < ahead; count++, next += step) {
            sum += in[next];
        }
        int first = start;
        int at = start;
        for (; count < window; at += step, next += step) {
            sum += in[next];
            out[at] = sum / ++count;
        }
        for (int end = start + length * step; next < end; at += step, next += step, first += step) {
            sum += in[next];
            sum -= in[first];
            out[at] = sum / count;
        }
        for (int left = ahead; left > 0; left--, at += step, first += step) {
            sum -= in[first];
            out[at] = sum / --count;
        }
    }

    /** That of the mean brightness of 64 × 64 cells, for hashes that blur nothing. */
    static int quality(LumaImage image) {
        long[] cells = image.cells(SIZE, SIZE);
        float[] small = new float[cells.length];
        for (int i = 0; i < small.length; i++) {
            small[i] = cells[i] / 256f;
        }
        return quality(small);
    }

    /** Of both directions. */
    private static int quality(float[] small) {
        int sum = 0;
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                int at = y * SIZE + x;
                sum += y + 1 < SIZE ? difference(small[at], small[at + SIZE]) : 0;
                sum += x + 1 < SIZE ? difference(small[at], small[at + 1]) : 0;
            }
        }
        return Math.min(MOST_QUALITY, sum / DIFFERENCES_PER_POINT);
    }

    private static int difference(float a, float b) {
        return Math.abs((int) ((a - b) * 100 / 255));
    }

    /** The discrete cosine transform of each column of 64 rows, which become a row, but for its first value: twice for both directions. */
    private static float[] frequencies(float[] values) {
        int columns = values.length / SIZE;
        float[] low = new float[columns * LOW];
        for (int i = 0; i < low.length; i++) {
            for (int y = 0; y < SIZE; y++) {
                low[i] += COSINES[i % LOW][y] * values[y * columns + i / LOW];
            }
        }
        return low;
    }

    private static long[] bits(float[] frequencies) {
        float[] sorted = frequencies.clone();
        Arrays.sort(sorted);
        float median = sorted[sorted.length / 2 - 1];
        long[] words = new long[frequencies.length / Long.SIZE];
        for (int i = 0; i < frequencies.length; i++) {
            if (frequencies[i] > median) {
                words[words.length - 1 - i / Long.SIZE] |= 1L << i;
            }
        }
        return words;
    }

    private static float[][] cosines() {
        float[][] cosines = new float[LOW][SIZE];
        float scale = (float) StrictMath.sqrt(2.0 / SIZE);
        for (int u = 0; u < LOW; u++) {
            for (int x = 0; x < SIZE; x++) {
                cosines[u][x] = (float) (scale * StrictMath.cos(Math.PI / 2 / SIZE * (u + 1) * (2 * x + 1)));
            }
        }
        return cosines;
    }
}
