/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

/**
 * Levenshtein distance. Two bits per cell say whether it costs one more or one less than the cell above (Myers, "A fast
 * bit-vector algorithm for approximate string matching based on dynamic programming", 1999; in blocks as in Hyyrö, "A
 * bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
 */
final class EditDistance extends BandedDistance {

    private final long[] more;
    private final long[] less;
    private final long[] scratch;

    EditDistance(MatchBits matches, int[] text) {
        super(matches, text);
        this.more = new long[matches.blocks()];
        this.less = new long[matches.blocks()];
        this.scratch = new long[matches.blocks()];
    }

    @Override
    void open(int block) {
        more[block] = -1L;
        less[block] = 0;
    }

    @Override
    int rise(int block, long mask) {
        return Long.bitCount(more[block] & mask) - Long.bitCount(less[block] & mask);
    }

    @Override
    void advance(int from, int to, int first, int last) {
        for (int column = from; column < to; column++) {
            long[] row = matches.row(text[column], first, last, scratch);
            long moreIn = 1; // relative to the previous column, in the cell above the block
            long lessIn = 0;
            for (int block = first; block <= last; block++) {
                long moreDown = more[block];
                long lessDown = less[block];
                long match = row[block];
                long diagonal = match | lessDown;
                match |= lessIn;
                long equal = (((match & moreDown) + moreDown) ^ moreDown) | match;
                long moreRight = lessDown | ~(equal | moreDown);
                long lessRight = moreDown & equal;
                long moreShifted = (moreRight << 1) | moreIn;
                long lessShifted = (lessRight << 1) | lessIn;
                moreIn = moreRight >>> 63;
                lessIn = lessRight >>> 63;
                more[block] = lessShifted | ~(diagonal | moreShifted);
                less[block] = moreShifted & diagonal;
            }
        }
    }
}
