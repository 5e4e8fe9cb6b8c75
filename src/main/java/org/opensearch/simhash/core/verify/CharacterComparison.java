/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.text.Folding;

/**
 * Levenshtein and LCS over folded code points with collapsed white space. Both are {@code 1 - distance / whole}: edits
 * and the longer length, or code points outside the longest common subsequence and the sum of lengths.
 *
 * <p>Cheap steps come first: a bound by length, a bound by common code points in any order, common prefix and suffix. A
 * {@link BandedDistance} does the rest. Texts of more than {@link #MAX_LENGTH} code points (memory) or
 * {@link BandedDistance#MAX_WORK} steps (time) are {@code TOO_LARGE}.
 */
final class CharacterComparison implements TextComparison.Rest {

    /** Most memory of an alignment. */
    private static final int BYTES_PER_CODE_POINT = 25;

    /** Two texts of this length take 50 MB. */
    static final int MAX_LENGTH = 1 << 20;

    /** A text and its folded form, which may be three times as long. */
    private static final int BYTES_PER_FOLDED = (1 + 2 * Folding.MAX_EXPANSION) * Character.BYTES;

    private final boolean edits;
    private final double minSimilarity;
    private final int length;
    private final int longestOther;
    private final Alphabet alphabet;
    private final int[] symbols;
    private final int[] counts;

    CharacterComparison(Verification verification, String unfolded, LongConsumer memory) {
        String text = folded(unfolded, memory);
        this.edits = verification.measure() == Measure.LEVENSHTEIN;
        this.minSimilarity = verification.minSimilarity();
        this.length = CodePoints.length(text);
        this.longestOther = longestOther();
        memory.accept(length <= MAX_LENGTH ? (long) BYTES_PER_CODE_POINT * length : 0);
        this.symbols = length <= MAX_LENGTH ? CodePoints.collapsed(text, length) : new int[0];
        this.alphabet = new Alphabet(symbols, memory);
        alphabet.encode(symbols);
        this.counts = alphabet.count(symbols);
    }

    private String folded(String text, LongConsumer memory) {
        if (Folding.LETTERS.changes(text) == false) {
            return text;
        }
        memory.accept((long) BYTES_PER_FOLDED * text.length());
        return Folding.LETTERS.of(text);
    }

    @Override
    public Verdict compare(String unfolded, LongConsumer memory, Runnable checkCancelled) {
        String text = folded(unfolded, memory);
        // Longer texts are not aligned.
        memory.accept((long) BYTES_PER_CODE_POINT * Math.min(text.length(), Math.min(longestOther, MAX_LENGTH)));
        int[] other = CodePoints.collapsed(text, Math.min(longestOther, MAX_LENGTH));
        if (other == null) {
            return longestOther <= MAX_LENGTH ? Verdict.BELOW_MINIMUM : Verdict.TOO_LARGE;
        }
        int whole = edits ? Math.max(length, other.length) : length + other.length;
        if (whole == 0) {
            return Verdict.of(1, minSimilarity);
        }
        int limit = largestDistance(whole);
        if (lowerBound(other.length, Math.min(length, other.length)) > limit) {
            return Verdict.BELOW_MINIMUM;
        }
        if (length > MAX_LENGTH) {
            return Verdict.TOO_LARGE;
        }
        alphabet.encode(other);
        if (lowerBound(other.length, common(other)) > limit) {
            return Verdict.BELOW_MINIMUM;
        }
        int distance = distance(other, limit, checkCancelled);
        return switch (distance) {
            case BandedDistance.FARTHER -> Verdict.BELOW_MINIMUM;
            case BandedDistance.TOO_MUCH_WORK -> Verdict.TOO_LARGE;
            default -> Verdict.of(similarity(distance, whole), minSimilarity);
        };
    }

    /** Includes the memory of an alignment. */
    @Override
    public long bytes() {
        return alphabet.bytes() + (long) BYTES_PER_CODE_POINT * symbols.length;
    }

    /** One correctly rounded division: 4 of 5 equals the 0.8 of a request. */
    private static double similarity(int distance, int whole) {
        return (whole - distance) / (double) whole;
    }

    /** Longer texts cannot be similar enough, even if they contain the prepared one. */
    private int longestOther() {
        double longest = length * (edits ? 1 / minSimilarity : 2 / minSimilarity - 1);
        return length == 0 && minSimilarity == 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, longest + 1);
    }

    private int largestDistance(int whole) {
        int distance = Math.min(whole, (int) ((1 - minSimilarity) * whole) + 1);
        while (distance > 0 && similarity(distance, whole) < minSimilarity) {
            distance--;
        }
        return distance;
    }

    /** Least possible distance when at most {@code common} code points match. */
    private int lowerBound(int otherLength, int common) {
        return edits ? Math.max(length, otherLength) - common : length + otherLength - 2 * common;
    }

    /** Size of the multiset intersection of code points. */
    private int common(int[] other) {
        int[] otherCounts = alphabet.count(other);
        int common = 0;
        for (int i = 0; i < counts.length; i++) {
            common += Math.min(counts[i], otherCounts[i]);
        }
        return common;
    }

    private int distance(int[] other, int limit, Runnable checkCancelled) {
        int shorter = Math.min(length, other.length);
        int mismatch = Arrays.mismatch(symbols, other);
        int prefix = mismatch < 0 ? shorter : mismatch;
        int suffix = 0;
        while (suffix < shorter - prefix && symbols[length - 1 - suffix] == other[other.length - 1 - suffix]) {
            suffix++;
        }
        if (prefix + suffix == shorter) {
            return Math.max(length, other.length) - shorter;
        }
        MatchBits matches = new MatchBits(symbols, prefix, length - suffix, alphabet.size());
        int[] columns = Arrays.copyOfRange(other, prefix, other.length - suffix);
        BandedDistance distance = edits ? new EditDistance(matches, columns) : new IndelDistance(matches, columns);
        return distance.within(limit, checkCancelled);
    }

    /**
     * Levenshtein distance. Two bits per cell say whether it costs one more or one less than the cell above (Myers, "A fast
     * bit-vector algorithm for approximate string matching based on dynamic programming", 1999; in blocks as in Hyyrö, "A
     * bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
     */
    private static final class EditDistance extends BandedDistance {

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

    /**
     * Distance by insertions and deletions, {@code |a| + |b| - 2 · LCS}. One bit per cell says whether the longest common
     * subsequence does not grow from the cell above (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004).
     */
    private static final class IndelDistance extends BandedDistance {

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
}
