/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.util.Arrays;

/**
 * The brightness of an image's pixels: 0.299 red, 0.587 green, 0.114 blue. Integers only, so every JVM gets the same result.
 *
 * @param luma 0 to 255, row by row; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record LumaImage(int width, int height, byte[] luma) {

    float[] floats() {
        float[] floats = new float[luma.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = luma[i] & 0xFF;
        }
        return floats;
    }

    /** The brightness of a colour; all values 0 to 255. */
    static int luma(int red, int green, int blue) {
        return (299 * red + 587 * green + 114 * blue + 500) / 1000;
    }

    /** The mean brightness of each cell of a grid, in 1/256, row by row. A pixel on a border counts by its share. */
    long[] cells(int columns, int rows) {
        long[] sums = new long[columns * rows];
        long[] row = new long[columns];
        for (int y = 0; y < height; y++) {
            sumRow(y, row);
            // Lengths are in fractions of a pixel, so that image and grid have equal sides.
            for (int cell = (int) ((long) y * rows / height); cell < rows; cell++) {
                long overlap = overlap(y, rows, cell, height);
                if (overlap <= 0) {
                    break;
                }
                for (int x = 0; x < columns; x++) {
                    sums[cell * columns + x] += overlap * row[x];
                }
            }
        }
        Arrays.setAll(sums, i -> (sums[i] << 8) / ((long) width * height));
        return sums;
    }

    private void sumRow(int y, long[] row) {
        int columns = row.length;
        Arrays.fill(row, 0);
        for (int x = 0; x < width; x++) {
            int value = luma[y * width + x] & 0xFF;
            for (int cell = (int) ((long) x * columns / width); cell < columns; cell++) {
                long overlap = overlap(x, columns, cell, width);
                if (overlap <= 0) {
                    break;
                }
                row[cell] += overlap * value;
            }
        }
    }

    private static long overlap(int pixel, int cells, int cell, int pixels) {
        long end = Math.min((pixel + 1L) * cells, (cell + 1L) * pixels);
        return end - Math.max((long) pixel * cells, (long) cell * pixels);
    }
}
