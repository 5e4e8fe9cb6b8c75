/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** A set of numbers from 0 on that knows how many of them come before one: 0.2 bytes for each number that may be in it. */
public final class RankedSet {

    private final long[] words;

    /** How many are in the words before. */
    private final int[] before;

    /** @param size behind the greatest number that may be in it */
    public RankedSet(int size) {
        this.words = new long[(int) (((long) size + Long.SIZE - 1) / Long.SIZE)];
        this.before = new int[words.length];
    }

    /** What it takes of the heap. */
    public static long bytes(int size) {
        return ((long) size / Long.SIZE + 1) * (Long.BYTES + Integer.BYTES);
    }

    public void add(int number) {
        words[number >>> 6] |= 1L << number;
    }

    public boolean contains(int number) {
        return (words[number >>> 6] >>> number & 1) != 0;
    }

    /** To be called when all are in it; returns how many they are. */
    public int rank() {
        int sum = 0;
        for (int i = 0; i < words.length; i++) {
            before[i] = sum;
            sum += Long.bitCount(words[i]);
        }
        return sum;
    }

    /** How many of the set come before a number. */
    public int rankOf(int number) {
        return before[number >>> 6] + Long.bitCount(words[number >>> 6] & ((1L << number) - 1));
    }
}
