/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.memory;

import java.util.Arrays;

/** Sorts signed long keys, ascending, with an int for each. Stable. Takes eleven bits at a time and skips digits that all keys share. */
public final class RadixSort {

    /** Per key, beside the arrays. */
    public static final int BYTES = Long.BYTES + Integer.BYTES;

    private static final int DIGIT = 11;
    private static final int BINS = 1 << DIGIT;

    /** Up to this many, insertion is faster than clearing the bins. */
    private static final int FEW = 32;

    private RadixSort() {}

    /** Sorts the first {@code count} entries. */
    public static void sort(long[] keys, int[] payload, int count) {
        sort(keys, payload, count, new long[count], new int[count]);
    }

    /** The same with room for as many, which is overwritten. */
    public static void sort(long[] keys, int[] payload, int count, long[] spareKeys, int[] sparePayload) {
        if (count <= FEW) {
            sortFew(keys, payload, count);
            return;
        }
        long[] fromKeys = keys;
        int[] fromPayload = payload;
        long[] toKeys = spareKeys;
        int[] toPayload = sparePayload;
        int[] starts = new int[BINS];
        boolean swapped = false;
        for (int shift = 0; shift < Long.SIZE; shift += DIGIT) {
            Arrays.fill(starts, 0);
            for (int i = 0; i < count; i++) {
                starts[digit(fromKeys[i], shift)]++;
            }
            if (starts[digit(fromKeys[0], shift)] == count) {
                continue;
            }
            int sum = 0;
            for (int bin = 0; bin < BINS; bin++) {
                int size = starts[bin];
                starts[bin] = sum;
                sum += size;
            }
            for (int i = 0; i < count; i++) {
                int target = starts[digit(fromKeys[i], shift)]++;
                toKeys[target] = fromKeys[i];
                toPayload[target] = fromPayload[i];
            }
            swapped = swapped == false;
            long[] freeKeys = fromKeys;
            int[] freePayload = fromPayload;
            fromKeys = toKeys;
            fromPayload = toPayload;
            toKeys = freeKeys;
            toPayload = freePayload;
        }
        if (swapped) {
            System.arraycopy(fromKeys, 0, keys, 0, count);
            System.arraycopy(fromPayload, 0, payload, 0, count);
        }
    }

    private static void sortFew(long[] keys, int[] payload, int count) {
        for (int i = 1; i < count; i++) {
            long key = keys[i];
            int carried = payload[i];
            int to = i;
            for (; to > 0 && keys[to - 1] > key; to--) {
                keys[to] = keys[to - 1];
                payload[to] = payload[to - 1];
            }
            keys[to] = key;
            payload[to] = carried;
        }
    }

    private static int digit(long key, int shift) {
        return (int) ((key ^ Long.MIN_VALUE) >>> shift) & (BINS - 1);
    }
}
