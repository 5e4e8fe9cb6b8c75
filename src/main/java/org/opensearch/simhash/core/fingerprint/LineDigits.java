/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

/**
 * Tells of most texts that they have none of the {@link EncodedRuns}: each run has decimal digits in its lines, and most texts have
 * few, where no line is. Not thread-safe.
 */
final class LineDigits {

    /** Characters that are searched for digits at once. */
    private static final int BLOCK = 32;

    /** Fewest decimal digits of a run in lines: the shortest one has two. */
    private static final int LEAST_DIGITS = 2;

    private final char[] text;

    private int digitsOfLines;
    /** End of the chunk that was looked at last, and whether it may be a line. */
    private int endOfChunk;

    private boolean isLine;

    private LineDigits(char[] text) {
        this.text = text;
    }

    /** Whether a text has digits where a line of a run may be. */
    static boolean mayHaveRuns(char[] text) {
        return new LineDigits(text).mayHaveRuns();
    }

    private boolean mayHaveRuns() {
        for (int from = 0; from < text.length; from += BLOCK) {
            int to = Math.min(from + BLOCK, text.length);
            if (hasDigits(from, to)) {
                for (int i = from; i < to; i++) {
                    if (text[i] >= '0' && text[i] <= '9' && mayHaveRuns(i)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Without a branch for each character. */
    private boolean hasDigits(int from, int to) {
        int any = 0;
        for (int i = from; i < to; i++) {
            any |= (char) (text[i] - '0') - 10; // below 0 for a digit
        }
        return any < 0;
    }

    /** Counts a digit. Returns whether there are enough. */
    private boolean mayHaveRuns(int digit) {
        if (digit >= endOfChunk) {
            endOfChunk = end(digit);
            isLine = mayBeLine(begin(digit), endOfChunk);
        }
        digitsOfLines += isLine ? 1 : 0;
        return digitsOfLines >= LEAST_DIGITS;
    }

    /** Whether a chunk may be a line of a run: a wide one, one beside another of its width, or the last one. */
    private boolean mayBeLine(int begin, int end) {
        int width = end - begin;
        char next = end < text.length ? text[end] : '\n';
        if (width >= EncodedRuns.MIN_CHUNK || next == '=') {
            return true;
        }
        int endBefore = begin;
        boolean isFirst = true;
        while (endBefore > 0 && EncodedRuns.isBesideLines(text[endBefore - 1])) {
            endBefore--;
            isFirst &= text[endBefore] != '\n';
        }
        if (EncodedRuns.ENDS_OF_LINE.indexOf(next) >= 0
                && (isFirst == false || (endBefore == 0 && width >= EncodedRuns.NARROWEST))) {
            return true;
        }
        if (width < EncodedRuns.PROBE) {
            return false;
        }
        int beginOfNext = end;
        while (beginOfNext < text.length && EncodedRuns.isBesideLines(text[beginOfNext])) {
            beginOfNext++;
        }
        return endBefore - begin(endBefore) == width || end(beginOfNext) - beginOfNext == width;
    }

    private int begin(int end) {
        return EncodedRuns.beginOfChunk(text, end, 0);
    }

    private int end(int begin) {
        return EncodedRuns.endOfChunk(text, begin, text.length);
    }
}
