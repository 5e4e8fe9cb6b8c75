/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.memory.Account;

/**
 * Makes a hash of an image; images that look alike differ in few bits. The values of the option {@code algorithm}. Every
 * JVM gets the same bits.
 */
public enum PerceptualHash {

    /**
     * The signs of the 8 × 8 lowest frequencies at 32 × 32 pixels against their median, row by row (Zauner,
     * "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010).
     */
    PHASH(Long.SIZE) {
        @Override
        long[] bits(LumaImage image, int length) {
            long[] low = lowFrequencies(image.cells(SIZE, SIZE));
            long[] sorted = low.clone();
            Arrays.sort(sorted);
            long twiceTheMedian = sorted[Long.SIZE / 2 - 1] + sorted[Long.SIZE / 2];
            long bits = 0;
            for (long frequency : low) {
                bits = (bits << 1) | (2 * frequency > twiceTheMedian ? 1 : 0);
            }
            return new long[] {bits};
        }
    },

    /**
     * Whether each of 8 × 8 cells is darker than its right neighbour, row by row; with 128 bits, then whether it is darker
     * than the one below. Cheaper and more sensitive.
     */
    DHASH(Long.SIZE, 2 * Long.SIZE) {
        @Override
        long[] bits(LumaImage image, int length) {
            long across = darker(image.cells(LOW + 1, LOW), LOW + 1, 1);
            return length == Long.SIZE
                    ? new long[] {across}
                    : new long[] {across, darker(image.cells(LOW, LOW + 1), LOW, LOW)};
        }

        private static long darker(int[] cells, int columns, int step) {
            long bits = 0;
            for (int y = 0; y < LOW; y++) {
                for (int x = 0; x < LOW; x++) {
                    int at = y * columns + x;
                    bits = (bits << 1) | (cells[at] < cells[at + step] ? 1 : 0);
                }
            }
            return bits;
        }
    },

    /** 256 bits, by {@link PdqHash}. */
    PDQ(4 * Long.SIZE) {
        @Override
        long[] bits(LumaImage image, int length) {
            throw new AssertionError("has a way of its own");
        }

        @Override
        ImageHash.Hashed hash(LumaImage image, int length, Account memory) {
            return PdqHash.of(image, memory);
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

    private final List<Integer> lengths;

    /** @param lengths in bits; the first names no length in its scheme */
    PerceptualHash(Integer... lengths) {
        this.lengths = List.of(lengths);
    }

    /** The best one of a length in bits. */
    public static PerceptualHash byDefault(int length) {
        return length == Long.SIZE ? PHASH : length == 2 * Long.SIZE ? DHASH : PDQ;
    }

    /** Whether a scheme is one of these. */
    public static boolean isScheme(String scheme) {
        return Stream.of(values())
                .anyMatch(algorithm -> algorithm.lengths.stream()
                        .anyMatch(length -> algorithm.scheme(length).equals(scheme)));
    }

    /** @throws IllegalArgumentException if it makes no hashes of this length */
    void requireLength(int length) {
        if (lengths.contains(length) == false) {
            throw new IllegalArgumentException("[hash_bits] of [algorithm] " + name().toLowerCase(Locale.ROOT)
                    + " must be " + lengths.stream().map(String::valueOf).collect(Collectors.joining(" or "))
                    + ", got: " + length);
        }
    }

    /** The scheme of its hashes; only hashes of one scheme are comparable. */
    String scheme(int length) {
        boolean isUsual = lengths.getFirst() == length;
        return name().toLowerCase(Locale.ROOT) + (isUsual ? "" : "-" + length) + "-" + VERSION;
    }

    /**
     * The hash. None for an image of one colour, which would match every other one.
     *
     * @param memory accounts for what it takes
     */
    ImageHash.Hashed hash(LumaImage image, int length, Account memory) {
        int[] cells = image.cells(SIZE, SIZE);
        int darkest = Arrays.stream(cells).min().getAsInt();
        int brightest = Arrays.stream(cells).max().getAsInt();
        return new ImageHash.Hashed(brightest - darkest < FLAT ? null : bits(image, length), null);
    }

    abstract long[] bits(LumaImage image, int length);

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
