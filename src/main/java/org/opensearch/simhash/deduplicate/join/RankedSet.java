/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

/** A set of numbers from 0 on that knows the rank of each: 0.2 bytes per possible number. */
public final class RankedSet {

    private final long[] words;

    /** Numbers in the words before. */
    private final int[] before;

    /** @param size greatest possible number + 1 */
    public RankedSet(int size) {
        this.words = new long[(int) (((long) size + Long.SIZE - 1) / Long.SIZE)];
        this.before = new int[words.length];
    }

    public static long bytes(int size) {
        return ((long) size / Long.SIZE + 1) * (Long.BYTES + Integer.BYTES);
    }

    public void add(int number) {
        words[number >>> 6] |= 1L << number;
    }

    public boolean contains(int number) {
        return (words[number >>> 6] >>> number & 1) != 0;
    }

    /** Call it when all numbers are in. Returns how many. */
    public int rank() {
        int sum = 0;
        for (int i = 0; i < words.length; i++) {
            before[i] = sum;
            sum += Long.bitCount(words[i]);
        }
        return sum;
    }

    /** How many numbers of the set are smaller. */
    public int rankOf(int number) {
        return before[number >>> 6] + Long.bitCount(words[number >>> 6] & ((1L << number) - 1));
    }
}
