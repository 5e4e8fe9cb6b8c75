/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

/**
 * Distance by insertions and deletions, {@code |a| + |b| - 2 · LCS}. One bit per cell says whether the longest common
 * subsequence does not grow from the cell above (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004).
 */
final class IndelDistance extends BandedDistance {

    private final long[] same;
    private final long[] scratch;

    IndelDistance(MatchBits matches, int[] text) {
        super(matches, text);
        this.same = new long[matches.blocks()];
        this.scratch = new long[matches.blocks()];
    }

    @Override
    void open(int block) {
        same[block] = -1L;
    }

    /** A cell costs 1 more than the one above if the subsequence does not grow, else 1 less. */
    @Override
    int rise(int block, long mask) {
        return Long.bitCount(mask) - 2 * Long.bitCount(~same[block] & mask);
    }

    @Override
    void advance(int from, int to, int first, int last) {
        for (int column = from; column < to; column++) {
            if (text[column] == Alphabet.FOREIGN) {
                continue; // nothing changes without a match
            }
            long[] row = matches.row(text[column], first, last, scratch);
            long carry = 0;
            for (int block = first; block <= last; block++) {
                long old = same[block];
                long match = old & row[block];
                long sum = old + match + carry;
                carry = (match | (old & ~sum)) >>> 63;
                same[block] = sum | (old & ~match);
            }
        }
    }
}
