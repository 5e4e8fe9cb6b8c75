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
     * The signs of the 8 × 8 lowest frequencies at 32 × 32 pixels against their median, row by row (Zauner,
     * "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010). With 256 bits those of the four
     * quarters: these tell pages of text apart.
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
            int[] cells = image.cells(across * SIZE, across * SIZE);
            long[] bits = new long[words];
            for (int i = 0; i < words; i++) {
                int[] part = part(cells, across * SIZE, i % across * SIZE, i / across * SIZE);
                bits[i] = words > 1 && isFlat(part) ? 0 : signs(lowFrequencies(part));
            }
            return bits;
        }

        private static int[] part(int[] cells, int columns, int left, int top) {
            int[] part = new int[SIZE * SIZE];
            for (int i = 0; i < part.length; i++) {
                part[i] = cells[(top + i / SIZE) * columns + left + i % SIZE];
            }
            return part;
        }

        private static long signs(long[] low) {
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

    /** Pixels to keep along a side: sixteen in each cell of the grid, more for a long hash, which sees lines of text. */
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

    private static boolean isFlat(int[] cells) {
        int darkest = Arrays.stream(cells).min().getAsInt();
        int brightest = Arrays.stream(cells).max().getAsInt();
        return brightest - darkest < FLAT;
    }

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
