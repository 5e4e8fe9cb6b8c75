/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.util.Arrays;
import org.opensearch.simhash.core.memory.Account;

/**
 * The brightness of an image's pixels: 0.299 red, 0.587 green, 0.114 blue. Integers only, so every JVM gets the same
 * result.
 */
final class LumaImage {

    /** Of rows and columns: what stands beside may hide that one repeats the outermost. */
    private static final int TRIM_PASSES = 2;

    /** Less is left of a page with a number only. */
    private static final int LEAST_PART = 8;

    /** One of so many pixels of a line may be dust. */
    private static final int SPECKS = 200;

    /** Pixels that differ by less are noise or the shade of paper. */
    private static final int CLEAR = 64;

    private final int width;
    private final int height;
    private final byte[] luma;

    /** @param luma 0 to 255, row by row; not copied */
    LumaImage(int width, int height, byte[] luma) {
        this.width = width;
        this.height = height;
        this.luma = luma;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /** Row by row. */
    float[] floats() {
        float[] floats = new float[luma.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = luma[i] & 0xFF;
        }
        return floats;
    }

    /**
     * What is left without the margin: at each side the rows or columns that repeat the outermost one, as paper does, and as a sidebar or
     * a coloured head does, too. A cut that takes a part of the margin leaves the same. The whole, if less than an eighth of a side is left.
     *
     * @param memory accounts for the copy
     */
    LumaImage trimmed(Account memory) {
        int[] rows = {0, height};
        int[] columns = {0, width};
        for (int pass = 0; pass < TRIM_PASSES; pass++) {
            trim(rows, width, columns, 1);
            trim(columns, 1, rows, width);
        }
        int across = columns[1] - columns[0];
        int down = rows[1] - rows[0];
        if (across * LEAST_PART < width || down * LEAST_PART < height || across * down == luma.length) {
            return this;
        }
        memory.take((long) across * down);
        byte[] inner = new byte[across * down];
        for (int y = 0; y < down; y++) {
            System.arraycopy(luma, (rows[0] + y) * width + columns[0], inner, y * across, across);
        }
        return new LumaImage(across, down, inner);
    }

    /** Moves both ends of the lines, which are {@code step} apart, to the last that repeats the outermost one within a part of it. */
    private void trim(int[] lines, int step, int[] part, int stepWithin) {
        int first = lines[0];
        int last = lines[1] - 1;
        while (lines[0] < last && repeats(first * step, (lines[0] + 1) * step, part, stepWithin)) {
            lines[0]++;
        }
        while (lines[1] - 1 > lines[0] && repeats(last * step, (lines[1] - 2) * step, part, stepWithin)) {
            lines[1]--;
        }
    }

    /** Whether two lines are alike but for specks of dust. */
    private boolean repeats(int line, int other, int[] part, int step) {
        int specks = (part[1] - part[0]) / SPECKS;
        for (int i = part[0]; i < part[1] && specks >= 0; i++) {
            int difference = Math.abs((luma[line + i * step] & 0xFF) - (luma[other + i * step] & 0xFF));
            specks -= difference < CLEAR ? 0 : 1;
        }
        return specks >= 0;
    }

    /** The brightness of a colour; all values 0 to 255. */
    static int luma(int red, int green, int blue) {
        return (299 * red + 587 * green + 114 * blue + 500) / 1000;
    }

    /**
     * The mean brightness of each cell of a grid, in units of 1/256, row by row. A pixel on a border counts in each
     * cell by its share.
     */
    int[] cells(int columns, int rows) {
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
        int[] cells = new int[sums.length];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = (int) ((sums[i] << 8) / ((long) width * height));
        }
        return cells;
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
