/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.Arrays;

/**
 * The positions of each symbol in a pattern: bit i of block b is set at position 64·b + i. Frequent symbols have a row
 * of bits. Other symbols, thousands in a Chinese text, have positions, from which a row is made on demand. Memory: at
 * most 8 bytes per position for rows (of up to 1,024 positions 128) and 4 for positions, for any alphabet.
 */
final class MatchBits {

    /** Up to here, rows for all symbols are small and cheaper than finding the frequent ones. */
    private static final int FEW_BLOCKS = 16;

    private final int length;
    private final int blocks;
    private final int[] start;
    private final int[] positions;
    private final long[][] rows;
    private final long[] empty;

    /** The pattern is in {@code [from, to)} of the symbols, which are below the alphabet's size. */
    MatchBits(int[] symbols, int from, int to, int alphabetSize) {
        this.length = to - from;
        this.blocks = (length + Long.SIZE - 1) / Long.SIZE;
        this.start = new int[alphabetSize + 1];
        this.positions = new int[length];
        this.rows = new long[alphabetSize][];
        this.empty = new long[blocks];
        sortPositions(symbols, from);
        for (int symbol = 0; symbol < alphabetSize; symbol++) {
            int count = start[symbol + 1] - start[symbol];
            if (count == 0) {
                rows[symbol] = empty;
            } else if (blocks <= FEW_BLOCKS || count >= blocks) {
                rows[symbol] = new long[blocks];
                set(symbol, 0, blocks - 1, rows[symbol]);
            }
        }
    }

    /** Counting sort: positions by symbol, ascending. */
    private void sortPositions(int[] symbols, int from) {
        for (int i = 0; i < length; i++) {
            start[symbols[from + i] + 1]++;
        }
        for (int symbol = 1; symbol < start.length; symbol++) {
            start[symbol] += start[symbol - 1];
        }
        int[] next = start.clone();
        for (int i = 0; i < length; i++) {
            positions[next[symbols[from + i]]++] = i;
        }
    }

    int length() {
        return length;
    }

    /** Blocks of 64 positions. */
    int blocks() {
        return blocks;
    }

    /** The row of a symbol. Valid for these blocks, until the next call with the same {@code scratch}. */
    long[] row(int symbol, int first, int last, long[] scratch) {
        if (symbol == Alphabet.FOREIGN) {
            return empty;
        }
        if (rows[symbol] != null) {
            return rows[symbol];
        }
        Arrays.fill(scratch, first, last + 1, 0);
        set(symbol, first, last, scratch);
        return scratch;
    }

    private void set(int symbol, int first, int last, long[] row) {
        int end = start[symbol + 1];
        int i = Arrays.binarySearch(positions, start[symbol], end, first * Long.SIZE);
        for (i = i < 0 ? -i - 1 : i; i < end && positions[i] < (last + 1) * Long.SIZE; i++) {
            row[positions[i] / Long.SIZE] |= 1L << positions[i];
        }
    }
}
