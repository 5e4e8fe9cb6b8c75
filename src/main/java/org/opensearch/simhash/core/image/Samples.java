/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.util.function.IntUnaryOperator;

/** The pixels of a picture that are kept: every so many in a row, of every so many rows. */
final class Samples {

    private final int stepX;
    private final int stepY;
    private final int columns;
    private final byte[] luma;

    /** Call {@link Decoding#requireSize} before. */
    Samples(int width, int height, Decoding limits) {
        stepX = Math.max(1, width / limits.fineEnough());
        stepY = Math.max(1, height / limits.fineEnough());
        columns = (width + stepX - 1) / stepX;
        int size = columns * ((height + stepY - 1) / stepY);
        limits.take(size);
        luma = new byte[size];
    }

    int stepX() {
        return stepX;
    }

    int stepY() {
        return stepY;
    }

    int size() {
        return luma.length;
    }

    /** Keeps what is needed of a row, or of every {@code step}th of its pixels from the first on, by the luma of each of them. */
    void row(int y, int first, int step, int count, IntUnaryOperator pixel) {
        if (y % stepY != 0) {
            return;
        }
        int start = y / stepY * columns;
        for (int i = 0; i < count; i++) {
            int x = first + i * step;
            if (x % stepX == 0) {
                luma[start + x / stepX] = (byte) pixel.applyAsInt(i);
            }
        }
    }

    LumaImage image() {
        return new LumaImage(columns, luma.length / columns, luma);
    }
}
