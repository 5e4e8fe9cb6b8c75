/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.core.memory.Account;

/** Makes a hash of an image; images that look alike differ in few bits. The values of the option {@code algorithm}. Every JVM gets the same bits. */
public enum PerceptualHash {

    /**
     * The signs of the 8 × 8 lowest frequencies at 32 × 32 pixels against their median, row by row (Zauner, "Implementation and
     * Benchmarking of Perceptual Image Hash Functions", 2010). With 256 bits those of the four quarters: these tell pages of text apart.
     */
    PHASH(Long.SIZE, 4 * Long.SIZE) {
        @Override
        ImageHash.Hashed hash(LumaImage image, int length, Account memory) {
            int quality = PdqHash.quality(image);
            boolean isTooFlat = length > Long.SIZE ? quality < PdqHash.LEAST_QUALITY : isFlat(image.cells(SIZE, SIZE));
            return new ImageHash.Hashed(isTooFlat ? null : bits(image, length), quality);
        }

        private static long[] bits(LumaImage image, int length) {
            int words = length / Long.SIZE;
            int across = words == 4 ? 2 : 1;
            long[] cells = image.cells(across * SIZE, across * SIZE);
            long[] bits = new long[words];
            for (int i = 0; i < words; i++) {
                long[] part = part(cells, across * SIZE, i % across * SIZE, i / across * SIZE);
                bits[i] = words > 1 && isFlat(part) ? 0 : signs(lowFrequencies(lowFrequencies(part)));
            }
            return bits;
        }

        private static long[] part(long[] cells, int columns, int left, int top) {
            long[] part = new long[SIZE * SIZE];
            Arrays.setAll(part, i -> cells[(top + i / SIZE) * columns + left + i % SIZE]);
            return part;
        }

        private static long signs(long[] low) {
            long[] sorted = low.clone();
            Arrays.sort(sorted);
            return above(sorted[Long.SIZE / 2 - 1] + sorted[Long.SIZE / 2], low, 2);
        }
    },

    /** Which of 8 × 8 cells are brighter than their mean, row by row: the average hash of many programs. */
    AHASH(Long.SIZE) {
        @Override
        ImageHash.Hashed hash(LumaImage image, int length, Account memory) {
            long[] cells = image.cells(LOW, LOW);
            long[] bits = {above(Arrays.stream(cells).sum(), cells, cells.length)};
            return new ImageHash.Hashed(isFlat(cells) ? null : bits, PdqHash.quality(image));
        }
    },

    /** 256 bits, by {@link PdqHash}. */
    PDQ(4 * Long.SIZE) {

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

    @SuppressWarnings("ImmutableEnumChecker") // Made by List.of.
    private final List<Integer> lengths;

    /** @param lengths in bits; the first names no length in its scheme */
    PerceptualHash(Integer... lengths) {
        this.lengths = List.of(lengths);
    }

    /** Pixels to keep along a side: at least sixteen in each cell of the grid, more for a long hash, which sees lines of text. */
    static int fineEnough(int length) {
        return length == Long.SIZE ? 512 : 1024;
    }

    public static boolean isScheme(String scheme) {
        return Stream.of(values())
                .anyMatch(algorithm -> algorithm.lengths.stream()
                        .anyMatch(length -> algorithm.scheme(length).equals(scheme)));
    }

    /** Bits of a hash where {@code hash_bits} does not say them; of null those of the first algorithm. */
    public static int usualLength(Object algorithm) {
        return Stream.of(values())
                .filter(one -> one.name().equalsIgnoreCase(String.valueOf(algorithm)))
                .findFirst()
                .orElse(PHASH)
                .lengths
                .getFirst();
    }

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

    /** The hash. None for one colour, which would match every other; a long one also not for an image of little quality. */
    abstract ImageHash.Hashed hash(LumaImage image, int length, Account memory);

    /** A bit for each of 64 values, the first one the highest: whether so many times the value is above a sum. */
    private static long above(long sum, long[] values, int times) {
        long bits = 0;
        for (long value : values) {
            bits = (bits << 1) | (times * value > sum ? 1 : 0);
        }
        return bits;
    }

    private static boolean isFlat(long[] cells) {
        var brightness = Arrays.stream(cells).summaryStatistics();
        return brightness.getMax() - brightness.getMin() < FLAT;
    }

    /** The first 8 values of the discrete cosine transform of each column of 32 rows, which become a row: twice for both directions. */
    private static long[] lowFrequencies(long[] cells) {
        int columns = cells.length / SIZE;
        long[] low = new long[columns * LOW];
        for (int i = 0; i < low.length; i++) {
            for (int y = 0; y < SIZE; y++) {
                low[i] += COSINES[i % LOW][y] * cells[y * columns + i / LOW];
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
