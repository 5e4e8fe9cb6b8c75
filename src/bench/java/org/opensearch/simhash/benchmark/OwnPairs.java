/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.opensearch.simhash.node.EditedFingerprints;

/**
 * The near pairs and groups of the fingerprints that {@link DeduplicateBenchmark} indexes, found without OpenSearch and without the
 * plugin's code: what a job reports has to be equal. All fingerprints are sorted by the bits of some blocks at a time, for each choice of
 * blocks, and compared where these bits are equal.
 *
 * <p>Arguments: number of fingerprints, distance, number of blocks. Takes 16 bytes for each fingerprint, and 12 for each and thread.
 */
public final class OwnPairs {

    private final long[] values;
    private final int distance;
    private final long[] blocks;

    private OwnPairs(long[] values, int distance, int blocks) {
        this.values = values;
        this.distance = distance;
        this.blocks = new long[blocks];
        for (int bit = 0; bit < Long.SIZE; bit++) {
            this.blocks[bit * blocks / Long.SIZE] |= 1L << bit;
        }
    }

    public static void main(String[] args) {
        long start = System.nanoTime();
        int count = Integer.parseInt(args[0]);
        var source = new EditedFingerprints(count, 10, 7, 5);
        long[] values = new long[count];
        Arrays.setAll(values, i -> source.getAsLong());
        long[] pairs = new OwnPairs(values, Integer.parseInt(args[1]), Integer.parseInt(args[2])).pairs();
        System.out.printf(
                Locale.ROOT,
                "%,d fingerprints, distance %s: %d pairs, %s, %.0f s%n",
                count,
                args[1],
                pairs.length,
                groups(pairs, count),
                (System.nanoTime() - start) / 1e9);
    }

    /** The lower document in the higher half, each pair once, ascending. */
    private long[] pairs() {
        List<Long> masks = new ArrayList<>();
        for (int set = 0; set < 1 << blocks.length; set++) {
            if (Integer.bitCount(set) == blocks.length - distance) {
                masks.add(mask(set));
            }
        }
        return IntStream.range(0, masks.size())
                .parallel()
                .mapToObj(choice -> pairs(masks.get(choice), masks.subList(0, choice)))
                .flatMapToLong(Arrays::stream)
                .sorted()
                .toArray();
    }

    private long mask(int set) {
        return IntStream.range(0, blocks.length)
                .filter(i -> (set >> i & 1) == 1)
                .mapToLong(i -> blocks[i])
                .sum();
    }

    /** @param before a pair that agrees on one of these was found there */
    private long[] pairs(long mask, List<Long> before) {
        int bits = Math.min(26, Long.bitCount(mask));
        int[] ends = new int[(1 << bits) + 1];
        for (long value : values) {
            ends[key(value, mask, bits) + 1]++;
        }
        for (int i = 1; i < ends.length; i++) {
            ends[i] += ends[i - 1];
        }
        int[] order = new int[values.length];
        long[] sorted = new long[values.length];
        int[] next = ends.clone();
        for (int i = 0; i < values.length; i++) {
            int at = next[key(values[i], mask, bits)]++;
            order[at] = i;
            sorted[at] = values[i];
        }
        long[] found = new long[1024];
        int size = 0;
        for (int key = 0; key < 1 << bits; key++) {
            for (int i = ends[key]; i < ends[key + 1]; i++) {
                if (nearest(sorted, i, ends[key + 1]) > distance) {
                    continue;
                }
                for (int j = i + 1; j < ends[key + 1]; j++) {
                    long differing = sorted[i] ^ sorted[j];
                    if (Long.bitCount(differing) <= distance
                            && before.stream().noneMatch(earlier -> (differing & earlier) == 0)) {
                        found = size == found.length ? Arrays.copyOf(found, 2 * size) : found;
                        found[size++] = ((long) order[i] << Integer.SIZE) | order[j];
                    }
                }
            }
        }
        return Arrays.copyOf(found, size);
    }

    /** How near the nearest of those after it is. */
    private static int nearest(long[] sorted, int i, int end) {
        long value = sorted[i];
        int nearest = Long.SIZE;
        for (int j = i + 1; j < end; j++) {
            nearest = Math.min(nearest, Long.bitCount(value ^ sorted[j]));
        }
        return nearest;
    }

    private static int key(long value, long mask, int bits) {
        return (int) Long.compress(value, mask) & ((1 << bits) - 1);
    }

    /** In the order of the documents each that is free takes all free ones near to it. */
    private static String groups(long[] pairs, int count) {
        int[] starts = new int[count + 1];
        for (long pair : pairs) {
            starts[(int) (pair >>> Integer.SIZE) + 1]++;
        }
        for (int i = 0; i < count; i++) {
            starts[i + 1] += starts[i];
        }
        boolean[] taken = new boolean[count];
        long groups = 0;
        long duplicates = 0;
        long largest = 0;
        for (int document = 0; document < count; document++) {
            long members = 0;
            for (int i = starts[document]; i < starts[document + 1] && taken[document] == false; i++) {
                // Those before it are decided: near ones among them are taken, or would have taken it.
                int other = (int) pairs[i];
                members += taken[other] ? 0 : 1;
                taken[other] = true;
            }
            groups += members > 0 ? 1 : 0;
            duplicates += members;
            largest = Math.max(largest, members > 0 ? members + 1 : 0);
        }
        return groups + " groups, " + duplicates + " duplicates, largest group " + largest;
    }
}
