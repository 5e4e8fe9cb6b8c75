/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import java.util.Arrays;

/**
 * Levenshtein and LCS over code points, white space collapsed. Both are {@code 1 - distance / whole}: edits and the longer
 * length, or code points outside of the longest common subsequence and the sum of the lengths.
 *
 * <p>Cheap steps come first: a bound from the lengths, one from the code points in common whatever their order, the common
 * prefix and suffix. What is left goes through a {@link BandedDistance}. Texts of more than {@link #MAX_LENGTH} code points are
 * not aligned (memory), nor those that need more than {@link BandedDistance#MAX_WORK} (time): {@code TOO_LARGE}.
 */
final class CharacterComparison implements TextComparison.Rest {

    /** At about 40 bytes for each: 40 MB for two texts of this length. */
    static final int MAX_LENGTH = 1 << 20;

    private final boolean edits;
    private final double minSimilarity;
    private final String text;
    private final int length;
    private final Alphabet alphabet;
    private final int[] symbols;
    private final int[] counts;

    CharacterComparison(Verification verification, String text) {
        this.edits = verification.measure() == Measure.LEVENSHTEIN;
        this.minSimilarity = verification.minSimilarity();
        this.text = collapse(text);
        this.length = this.text.codePointCount(0, this.text.length());
        boolean aligns = length <= MAX_LENGTH;
        this.alphabet = new Alphabet(aligns ? this.text : "");
        this.symbols = alphabet.encode(this.text, aligns ? length : 0);
        this.counts = alphabet.count(symbols);
    }

    @Override
    public Verdict compare(String rest, Runnable checkCancelled) {
        String other = collapse(rest);
        if (other.equals(text)) {
            return Verdict.of(1, minSimilarity);
        }
        int otherLength = other.codePointCount(0, other.length());
        int whole = edits ? Math.max(length, otherLength) : length + otherLength;
        int limit = largestDistance(whole);
        if (lowerBound(otherLength, Math.min(length, otherLength)) > limit) {
            return Verdict.BELOW_MINIMUM;
        }
        if (Math.max(length, otherLength) > MAX_LENGTH) {
            return Verdict.TOO_LARGE;
        }
        int[] otherSymbols = alphabet.encode(other, otherLength);
        if (lowerBound(otherLength, common(otherSymbols)) > limit) {
            return Verdict.BELOW_MINIMUM;
        }
        int distance = distance(otherSymbols, limit, checkCancelled);
        return switch (distance) {
            case BandedDistance.FARTHER -> Verdict.BELOW_MINIMUM;
            case BandedDistance.TOO_MUCH_WORK -> Verdict.TOO_LARGE;
            default -> Verdict.of(similarity(distance, whole), minSimilarity);
        };
    }

    /** One correctly rounded division: 4 of 5 is the same number as the 0.8 of a request. */
    private static double similarity(int distance, int whole) {
        return (whole - distance) / (double) whole;
    }

    /** The largest distance that is still similar enough. */
    private int largestDistance(int whole) {
        int distance = Math.min(whole, (int) ((1 - minSimilarity) * whole) + 1);
        while (distance > 0 && similarity(distance, whole) < minSimilarity) {
            distance--;
        }
        return distance;
    }

    /** No distance is smaller when at most {@code common} code points can be paired. */
    private int lowerBound(int otherLength, int common) {
        return edits ? Math.max(length, otherLength) - common : length + otherLength - 2 * common;
    }

    /** Size of the intersection of the multisets of code points. */
    private int common(int[] otherSymbols) {
        int[] otherCounts = alphabet.count(otherSymbols);
        int common = 0;
        for (int i = 0; i < counts.length; i++) {
            common += Math.min(counts[i], otherCounts[i]);
        }
        return common;
    }

    private int distance(int[] other, int limit, Runnable checkCancelled) {
        int shorter = Math.min(symbols.length, other.length);
        int mismatch = Arrays.mismatch(symbols, other);
        int prefix = mismatch < 0 ? shorter : mismatch;
        int suffix = 0;
        while (suffix < shorter - prefix && symbols[symbols.length - 1 - suffix] == other[other.length - 1 - suffix]) {
            suffix++;
        }
        if (prefix + suffix == shorter) {
            return Math.max(symbols.length, other.length) - shorter;
        }
        MatchBits matches = new MatchBits(symbols, prefix, symbols.length - suffix, alphabet.size());
        int[] row = Arrays.copyOfRange(other, prefix, other.length - suffix);
        BandedDistance distance = edits ? new EditDistance(matches, row) : new IndelDistance(matches, row);
        return distance.within(limit, checkCancelled);
    }

    /** Each run of white space as one space, none at the ends. */
    static String collapse(String text) {
        StringBuilder collapsed = new StringBuilder(text.length());
        boolean space = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                space = true;
            } else {
                if (space && collapsed.isEmpty() == false) {
                    collapsed.append(' ');
                }
                collapsed.append(c);
                space = false;
            }
        }
        return collapsed.toString();
    }
}
